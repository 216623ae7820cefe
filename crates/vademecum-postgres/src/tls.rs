//! Encryption by rustls: the server proves who it is by a certificate for the name in the address.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use rustls::pki_types::ServerName;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, InvalidDnsNameError};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_postgres::tls::{ChannelBinding, MakeTlsConnect, TlsConnect, TlsStream};
use vademecum_files::read_named;
use vademecum_store::StoreError;

use crate::address::Address;
use crate::error::failed;

/// A list of certificates is no larger.
const MOST: u64 = 16 << 20;

/// Makes what encrypts one connection.
#[derive(Clone)]
pub(crate) struct MakeTls {
    config: Arc<ClientConfig>,
}

impl MakeTls {
    /// What an address asks for; without encryption it is made and never used.
    pub(crate) fn of(address: &Address) -> Result<Self, StoreError> {
        let roots = if address.is_encrypted() { roots(address)? } else { RootCertStore::empty() };
        let ciphers = Arc::new(rustls::crypto::ring::default_provider());
        let config = ClientConfig::builder_with_provider(ciphers)
            .with_safe_default_protocol_versions()
            .map_err(|error| failed(&error))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(Self { config: Arc::new(config) })
    }
}

/// The certificates that are trusted: those of the file that the address names, else the system's.
fn roots(address: &Address) -> Result<RootCertStore, StoreError> {
    let mut roots = RootCertStore::empty();
    let Some(path) = &address.roots else {
        let found = rustls_native_certs::load_native_certs();
        roots.add_parsable_certificates(found.certs);
        return if roots.is_empty() {
            Err(failed(&"this system trusts no certificate: name one by sslrootcert"))
        } else {
            Ok(roots)
        };
    };
    let said = |what: &dyn std::fmt::Display| failed(&format!("{}: {what}", path.display()));
    let pem = read_named(path, MOST).map_err(|error| said(&error))?;
    let pem = pem.ok_or_else(|| said(&"no such file of certificates"))?;
    for certificate in CertificateDer::pem_slice_iter(&pem) {
        let certificate = certificate.map_err(|error| said(&error))?;
        roots.add(certificate).map_err(|error| said(&error))?;
    }
    Ok(roots)
}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> MakeTlsConnect<S> for MakeTls {
    type Stream = Encrypted<S>;
    type TlsConnect = Tls;
    type Error = InvalidDnsNameError;

    fn make_tls_connect(&mut self, domain: &str) -> Result<Tls, InvalidDnsNameError> {
        // A socket of this machine has no name, and is never encrypted.
        let name = if domain.is_empty() { "localhost" } else { domain };
        let name = ServerName::try_from(name)?.to_owned();
        Ok(Tls { config: Arc::clone(&self.config), name })
    }
}

/// What encrypts one connection.
pub(crate) struct Tls {
    config: Arc<ClientConfig>,
    name: ServerName<'static>,
}

type Connecting<S> = Pin<Box<dyn Future<Output = io::Result<Encrypted<S>>> + Send>>;

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> TlsConnect<S> for Tls {
    type Stream = Encrypted<S>;
    type Error = io::Error;
    type Future = Connecting<S>;

    fn connect(self, stream: S) -> Connecting<S> {
        let connecting = tokio_rustls::TlsConnector::from(self.config).connect(self.name, stream);
        Box::pin(async move { connecting.await.map(Box::new).map(Encrypted) })
    }
}

/// An encrypted connection.
pub(crate) struct Encrypted<S>(Box<tokio_rustls::client::TlsStream<S>>);

impl<S: AsyncRead + AsyncWrite + Unpin> TlsStream for Encrypted<S> {
    /// The password's proof is not tied to the certificate: its name was checked, which is what keeps others out.
    fn channel_binding(&self) -> ChannelBinding {
        ChannelBinding::none()
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncRead for Encrypted<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_read(cx, buf)
    }
}

impl<S: AsyncRead + AsyncWrite + Unpin> AsyncWrite for Encrypted<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buf: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.0).poll_write(cx, buf)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.0).poll_shutdown(cx)
    }
}

//! Words that are kept, of which a later program may know more.

/// Makes an enum of words; one that only a later program knows is kept as it is.
#[macro_export]
macro_rules! words {
    ($(#[$outer:meta])* $name:ident { $($(#[$inner:meta])* $variant:ident = $word:literal,)+ }) => {
        $(#[$outer])*
        #[derive(
            Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
        )]
        #[serde(from = "String", into = "String")]
        pub enum $name {
            $($(#[$inner])* $variant,)+
            /// One that only a later program knows.
            Unknown(Box<str>),
        }

        impl $name {
            /// All that this program knows, in order.
            pub const ALL: &[Self] = &[$(Self::$variant,)+];

            /// The word that is kept and shown.
            #[must_use]
            pub fn word(&self) -> &str {
                match self {
                    $(Self::$variant => $word,)+
                    Self::Unknown(word) => word,
                }
            }

            /// What `word` names, if this program knows it.
            #[must_use]
            pub fn parse(word: &str) -> Option<Self> {
                Self::ALL.iter().find(|known| known.word() == word).cloned()
            }
        }

        impl From<&str> for $name {
            fn from(word: &str) -> Self {
                Self::parse(word).unwrap_or_else(|| Self::Unknown(word.into()))
            }
        }

        impl From<String> for $name {
            fn from(word: String) -> Self {
                Self::from(word.as_str())
            }
        }

        impl From<$name> for String {
            fn from(one: $name) -> Self {
                one.word().to_owned()
            }
        }
    };
}

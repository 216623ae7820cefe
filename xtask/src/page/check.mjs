// Opens a page of `vade view --html` in Chromium over its pipe, and says on standard output what it found, as JSON.
//
// Arguments: the program, a fresh folder for its profile, the page, words to search for, axe-core, the rules of it that
// are not asked, with commas between them, and a picture to take or nothing.
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [program, profile, page, words, axe, without, picture] = process.argv.slice(2);
const flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-pipe"];
const chromium = spawn(program, [...flags, `--user-data-dir=${profile}`, "about:blank"], {
  stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
});

// The protocol is JSON with a NUL behind each message, in on 3 and out on 4.
let rest = "";
let next = 1;
const waiting = new Map();
const events = [];
chromium.stdio[4].setEncoding("utf8").on("data", (chunk) => {
  const parts = (rest + chunk).split("\0");
  rest = parts.pop();
  for (const part of parts) {
    const message = JSON.parse(part);
    const wait = waiting.get(message.id);
    if (!wait) { events.push(message); continue; }
    waiting.delete(message.id);
    if (message.error) wait.reject(new Error(`${wait.method}: ${message.error.message}`));
    else wait.resolve(message.result);
  }
});
chromium.on("exit", () => waiting.forEach((wait) => wait.reject(new Error("Chromium ended"))));

let sessionId;
const call = (method, params = {}) => new Promise((resolve, reject) => {
  const id = next++;
  waiting.set(id, { resolve, reject, method });
  chromium.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
});
// What is asked here is no script of the page: its policy does not hold for it.
const ask = async (expression) => {
  const answer = await call("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
  if (answer.exceptionDetails) throw new Error(JSON.stringify(answer.exceptionDetails));
  return answer.result.value;
};
const until = async (what, isSo) => {
  for (let n = 0; n < 200; n++) {
    if (await isSo()) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error(`waited in vain for ${what}`);
};
const key = async (name, text) => {
  await call("Input.dispatchKeyEvent", { type: "keyDown", key: name, code: name, text, windowsVirtualKeyCode: { Tab: 9, Enter: 13 }[name] ?? 0 });
  await call("Input.dispatchKeyEvent", { type: "keyUp", key: name, code: name });
};
const look = (scheme, width) => Promise.all([
  call("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] }),
  call("Emulation.setDeviceMetricsOverride", { width, height: 800, deviceScaleFactor: 1, mobile: width < 500 }),
]);
const open = (isOpen) => ask(`document.querySelectorAll("details").forEach((it) => { it.open = ${isOpen}; })`);
const findings = async () => {
  const rules = Object.fromEntries(without.split(",").filter(Boolean).map((rule) => [rule, { enabled: false }]));
  const options = JSON.stringify({ resultTypes: ["violations"], rules });
  const found = await ask(`axe.run(document, ${options}).then((it) => it.violations.map(
    (one) => ({ id: one.id, impact: one.impact, n: one.nodes.length, first: one.nodes[0].html.slice(0, 200) })))`);
  return found;
};

const checked = async () => {
  const { targetId } = await call("Target.createTarget", { url: "about:blank" });
  ({ sessionId } = await call("Target.attachToTarget", { targetId, flatten: true }));
  for (const domain of ["Page", "Runtime", "Log", "Network"]) await call(`${domain}.enable`);
  await look("light", 1000);
  const began = Date.now();
  await call("Page.navigate", { url: pathToFileURL(page).href });
  await until("the page", () => ask('document.readyState === "complete" && location.protocol === "file:"'));
  const said = { load_ms: Date.now() - began };
  said.title = await ask("document.title");
  said.items = await ask('document.querySelectorAll(".item").length');

  // By keyboard alone: the skip link is first, then the links, then the field of the search.
  await key("Tab");
  said.first_stop = await ask("document.activeElement.className");
  await until("the search field", async () => {
    await key("Tab");
    return ask('document.activeElement.id === "search-field"');
  });
  await call("Input.insertText", { text: words });
  said.found = await ask('document.querySelectorAll(".item:not([hidden])").length');
  said.told = await ask('document.getElementById("search-found").textContent');
  await ask('{ const field = document.getElementById("search-field"); field.value = ""; field.dispatchEvent(new Event("input")); }');
  await key("Tab");
  const isOpen = () => ask("document.activeElement.parentElement.open");
  const before = await isOpen();
  await key("Enter", "\r");
  said.opened_by_key = await isOpen() === !before;
  await open(false);

  if (picture) {
    await ask('document.querySelector("details.item")?.setAttribute("open", "")');
    await ask("document.activeElement.blur(); scrollTo(0, 0)");
    const { data } = await call("Page.captureScreenshot", { format: "png" });
    writeFileSync(picture, Buffer.from(data, "base64"));
    await open(false);
  }

  await ask(readFileSync(axe, "utf8"));
  said.axe = [];
  said.wide = [];
  for (const scheme of ["light", "dark"]) {
    for (const width of [1000, 360]) {
      await look(scheme, width);
      // Of very many only some are opened: what is in them is made alike.
      await ask('[...document.querySelectorAll("details.item")].slice(0, 20).forEach((it) => { it.open = true; it.querySelectorAll("details").forEach((inner) => { inner.open = true; }); })');
      if (await ask("document.documentElement.scrollWidth > document.documentElement.clientWidth")) said.wide.push(`${scheme} ${width}`);
      said.axe.push(...(await findings()).map((one) => ({ ...one, scheme, width })));
      await open(false);
    }
  }
  // What is closed on the screen is open on the paper.
  await ask('dispatchEvent(new Event("beforeprint"))');
  said.closed_on_paper = await ask('document.querySelectorAll("details:not([open])").length');
  await ask('dispatchEvent(new Event("afterprint"))');
  said.paper = (await call("Page.printToPDF", {})).data.length;
  said.closed_again = await ask('document.querySelectorAll("details[open]").length === 0');
  said.canary = await ask('typeof globalThis.canary === "undefined" ? "silent" : String(globalThis.canary)');
  const urls = events.filter((it) => it.method === "Network.requestWillBeSent").map((it) => it.params.request.url);
  said.requests = urls.filter((url) => url !== pathToFileURL(page).href && url !== "about:blank");
  const logged = events.filter((it) => it.method === "Log.entryAdded").map((it) => it.params.entry.text);
  const thrown = events.filter((it) => it.method === "Runtime.exceptionThrown").map((it) => JSON.stringify(it.params));
  said.faults = [...logged, ...thrown];
  return said;
};

try {
  const said = await checked();
  console.log(JSON.stringify(said));
} finally {
  chromium.kill("SIGKILL");
}

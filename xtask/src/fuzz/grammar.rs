//! A grammar of programs that mean harm: templates with holes, filled by chance.

use std::path::Path;

use vademecum_ops::Config;
use vademecum_ops::sandbox::doors;

use super::Chance;

/// How deep holes are filled.
const DEPTH: usize = 4;

/// Statements: `$e` an expression, `$s` a statement (`$E`, `$S` where none may wait), `$v` a name, `$n` a number, `$f` a function of `session`,
/// `$p` a path outside, `$t` a text.
const STATEMENTS: [&str; 45] = [
    "let $v = $e;",
    "var $v = $e;",
    "$e;",
    "await $e;",
    "return $e;",
    "throw $e;",
    "console.log($e, $e);",
    "if ($e) { $s } else { $s }",
    "for (let i = 0; i < $n; i++) { $s }",
    "for (const $v of $e) { $s }",
    "for (const $v in $e) { $s }",
    "for await (const $v of $e) { $s }",
    "while ($e) { $s }",
    "for (;;) { $s }",
    "for (;;) {}",
    "for (;;) { try { $s } catch {} finally { continue } }",
    "try { $s } catch (error) { $s } finally { $s }",
    "function $v(...a) { $S return $v($E) } $v();",
    "async function $v() { await null; $s return $v() } await $v();",
    "function* $v() { for (;;) yield $E } for (const a of $v()) { $s }",
    "class $v { static #a = $E; get b() { $S } [$E]() { $S } } new $v().b;",
    "out: for (;;) { $s break out; }",
    "const all = []; for (;;) all.push($e);",
    "let grown = 'x'; for (;;) grown += grown;",
    "const f = () => Promise.resolve().then(f); f(); $s",
    "for (;;) Promise.reject($e);",
    "for (let i = 0; i < 1e5; i++) new Promise((a, b) => { $S });",
    "for (;;) session.$f($e);",
    "for (;;) await session.$f($e);",
    "await Promise.all(Array.from({length: $n}, () => session.$f($E)));",
    "Object.prototype.$k = $e;",
    "Array.prototype.$k = () => { $S };",
    "Promise.prototype.then = $e;",
    "Object.defineProperty(Object.prototype, '$k', {get() { $S return $E }, set(a) { $S }, configurable: true});",
    "globalThis.$g = $e;",
    "delete globalThis.$g;",
    "Object.setPrototypeOf(session, $e);",
    "session.notepad = $e; session.$f = $e;",
    "Error.prepareStackTrace = (a, b) => { $S return $E };",
    "Error.stackTraceLimit = $e;",
    "Symbol.prototype[Symbol.toPrimitive] = $e;",
    "JSON.stringify = JSON.parse = Object.freeze = $e;",
    "const held = new FinalizationRegistry(() => { $S }); held.register({}, $e);",
    "eval($t); Function($t)(); new (async () => {}).constructor($t)();",
    "await import($p);",
];

/// Expressions.
const EXPRESSIONS: [&str; 82] = [
    "$n",
    "$t",
    "$v",
    "null",
    "undefined",
    "[]",
    "({a: $e}).a",
    "({$k: $e, get b() { $S }, toJSON() { $S return $E }})",
    "[$e, $e, ...$e]",
    "($e).$k",
    "($e)?.[$e]",
    "($e)($e)",
    "new ($e)($e)",
    "(() => { $S })()",
    "(async () => { $s })()",
    "(function () { return this })()",
    "await session.$f($e)",
    "session.$f({$k: $e, content: $t, tags: [$t], session: 'fuzz:theirs'})",
    "session.$f({content: $t, tags: ['a'], __proto__: {session: 'fuzz:theirs'}})",
    "await session.notepad.read()",
    "session.notepad.write($e)",
    "session.notepad.append($t)",
    "session.notepad.append($t.repeat($n))",
    "session.read_notepad({session: 'fuzz:theirs'})",
    "session.search_notes({query: 'canary', tags: [], limit: 0})",
    "session.show_session({session: 'fuzz:theirs'})",
    "session.forget({session: 'fuzz:theirs'})",
    "session.recap({path: $p})",
    "session.export({all: true})",
    "session.run_sandbox_code({code: $t})",
    "Object.getOwnPropertyNames(globalThis)",
    "Object.keys(session)",
    "session.constructor.constructor($t)()",
    "session.$f.constructor('return this')()",
    "session.$f.call($e, $e)",
    "session.$f.apply(null, {length: $n})",
    "Reflect.construct(session.$f, [$e])",
    "Reflect.ownKeys($e)",
    "new Proxy($e, {get() { $S return $E }, has() { $S }, ownKeys() { $S return $E }})",
    "new Proxy(session, {get: (a, b) => $E})",
    "new Array($n)",
    "new Array($n).fill($e)",
    "new Array(1e9).join($t)",
    "Array.from({length: $n}, () => $E)",
    "'x'.repeat($n)",
    "$t.padEnd($n, $t)",
    "$t.replaceAll('', $t.repeat($n))",
    "$t.normalize('NFKD')",
    "/(x+x+)+y/.test('x'.repeat($n))",
    "new RegExp($t.repeat($n), 'v').exec($t)",
    "$t.split('').sort(() => $E)",
    "2n ** BigInt($n)",
    "BigInt('9'.repeat($n))",
    "new ArrayBuffer($n)",
    "new SharedArrayBuffer($n)",
    "new Uint8Array($n).map(() => $E)",
    "new DataView(new ArrayBuffer(8)).getBigUint64($n)",
    "Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0, $n)",
    "new WeakRef({a: $e}).deref()",
    "JSON.parse('['.repeat($n))",
    "JSON.stringify($e, (a, b) => $E, $n)",
    "JSON.parse($t, function (a, b) { $S return this })",
    "structuredClone($e)",
    "new Date($n).toLocaleString()",
    "new Date($e).toString()",
    "Symbol.for($t)",
    "new Map([[$e, $e]])",
    "Promise.all([$e, $e])",
    "Promise.race([$e, new Promise(() => {})])",
    "({then(a, b) { $S a($E) }})",
    "new Error($t, {cause: $e}).stack",
    "require('fs').readFileSync($p, 'utf8')",
    "require('child_process').execSync('cat ' + $p)",
    "process.env",
    "process.binding('fs')",
    "std.loadFile($p)",
    "std.open($p, 'w')",
    "os.exec(['cp', $p, $p])",
    "new Worker($p)",
    "fetch('file://' + $p)",
    "Deno.readTextFileSync($p)",
    "this",
];

/// Calls that look for another session, or for a file.
const CALLS: [&str; 12] = [
    "session.notepad.read()",
    "session.notepad.append($t)",
    "session.notepad.write($e)",
    "session.$f({})",
    "session.$f($e)",
    "session.$f({content: $t, tags: ['a'], session: 'fuzz:theirs'})",
    "session.$f({session: 'fuzz:theirs'})",
    "session.$f({query: 'canary', path: $p, limit: 0})",
    "session.search_notes({query: 'canary', tags: [], limit: 0})",
    "session.show_session({session: 'fuzz:theirs'})",
    "session.list_sessions()",
    "session.add_note({content: $t, tags: [$t]})",
];

const TEXTS: [&str; 18] = [
    "''",
    "'x'",
    "`${$e}`",
    "'\\ud800'",
    "'\\u0000'",
    "'漢😀é'",
    "'return globalThis'",
    "'for (;;) {}'",
    "'throw 1'",
    "'import(\"os\")'",
    "'</script>'",
    "'{\"Ended\":{\"outcome\":{\"Ok\":1},\"printed\":\"\",\"locks\":{}}}'",
    "'\\n\\x04\\0\\0\\0null'",
    "'fuzz:theirs'",
    "'## Session Notepad'",
    "'../../../../etc/passwd'",
    "'x'.repeat(1e4)",
    "String.raw`\\u{`",
];

const NUMBERS: [&str; 16] = [
    "0", "1", "-1", "2", "7", "100", "1e3", "1e5", "1e7", "2 ** 31", "2 ** 32", "2 ** 53", "NaN",
    "Infinity", "-0", "0.5",
];

const KEYS: [&str; 18] = [
    "then",
    "toJSON",
    "constructor",
    "__proto__",
    "prototype",
    "length",
    "toString",
    "valueOf",
    "message",
    "stack",
    "name",
    "hint",
    "content",
    "session",
    "tags",
    "get",
    "0",
    "id",
];

const GLOBALS: [&str; 14] = [
    "session",
    "console",
    "Error",
    "JSON",
    "Promise",
    "Object",
    "Array",
    "String",
    "Function",
    "Symbol",
    "Reflect",
    "eval",
    "undefined",
    "globalThis",
];

const NAMES: [&str; 4] = ["a", "b", "c", "d"];

/// What every program begins with, so that its names mean something.
const PRELUDE: &str = "var a = [1, 'b'], b = {c: 1}, c = 'text', d = async (e) => e;\n";

/// What breaks a text into a program that is none.
const SCRAPS: [&str; 13] = [
    "}); (async () => {",
    "{",
    "}",
    "(",
    ")",
    "`",
    "'",
    ";",
    "\\",
    "\0",
    "\u{2028}",
    "await ",
    "*/",
];

/// The grammar, with the functions that there are and a path outside.
pub(super) struct Grammar {
    functions: Vec<&'static str>,
    paths: Vec<String>,
}

impl Grammar {
    pub(super) fn new(config: &Config, outside: &Path) -> Self {
        let functions = doors(config).iter().map(|door| door.path).collect();
        let inside = |name: &str| format!("{:?}", outside.join(name).to_string_lossy());
        let paths = vec![
            inside("secret.txt"),
            inside("escaped.txt"),
            "'/etc/passwd'".to_owned(),
            "'/proc/self/environ'".to_owned(),
            "'/escaped.txt'".to_owned(),
            "'../secret.txt'".to_owned(),
            "'os'".to_owned(),
            "'fs'".to_owned(),
        ];
        Self { functions, paths }
    }

    /// One program of a few statements, most of which may fail alone; one in ten is hurt.
    pub(super) fn program(&self, chance: &mut Chance) -> String {
        let mut code = PRELUDE.to_owned();
        let top = At { depth: DEPTH, may_wait: true };
        for _ in 0..chance.below(4) {
            let call = self.fill(chance.pick(&CALLS), top, chance);
            code.extend(["try { console.log(await ", &call, ") } catch (e) { console.log(e) }\n"]);
        }
        for _ in 0..=chance.below(6) {
            let statement = self.fill(chance.pick(&STATEMENTS), top, chance);
            let (before, behind) = match chance.below(6) {
                0 => ("{ ", " }\n"),
                _ => ("try { ", " } catch (e) { console.log(typeof e) }\n"),
            };
            code.extend([before, &statement, behind]);
        }
        if chance.below(10) == 0 {
            hurt(&mut code, chance);
        }
        code
    }

    /// Fills the holes of `template`.
    fn fill(&self, template: &str, at: At, chance: &mut Chance) -> String {
        let mut parts = template.split('$');
        let mut filled = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            // `${` opens a hole of JavaScript itself.
            let Some(hole) = part.chars().next().filter(char::is_ascii_alphabetic) else {
                filled.push('$');
                filled.push_str(part);
                continue;
            };
            let at = At { may_wait: at.may_wait && hole.is_ascii_lowercase(), ..at };
            filled.push_str(&self.hole(hole.to_ascii_lowercase(), at, chance));
            filled.push_str(&part[1..]);
        }
        filled
    }

    /// Fills one hole; at the bottom only with what has none.
    fn hole(&self, hole: char, at: At, chance: &mut Chance) -> String {
        let is_deep = at.depth == 0;
        let below = At { depth: at.depth.saturating_sub(1), ..at };
        match hole {
            's' if is_deep => ";".to_owned(),
            's' => self.fill(one_of(&STATEMENTS, at, chance), below, chance),
            'e' if is_deep => chance.pick(&NUMBERS).to_owned(),
            'e' => self.fill(one_of(&EXPRESSIONS, at, chance), below, chance),
            't' if is_deep => "'t'".to_owned(),
            't' => self.fill(chance.pick(&TEXTS), below, chance),
            'n' => chance.pick(&NUMBERS).to_owned(),
            'k' => chance.pick(&KEYS).to_owned(),
            'g' => chance.pick(&GLOBALS).to_owned(),
            'f' => self.functions[chance.below(self.functions.len())].to_owned(),
            'p' => self.paths[chance.below(self.paths.len())].clone(),
            _ => chance.pick(&NAMES).to_owned(),
        }
    }
}

/// Where a hole is.
#[derive(Clone, Copy)]
struct At {
    depth: usize,
    may_wait: bool,
}

/// One of `templates`; where nothing may wait, one that does not.
fn one_of<'a>(templates: &[&'a str], at: At, chance: &mut Chance) -> &'a str {
    loop {
        let template = chance.pick(templates);
        if at.may_wait || !template.contains("await") {
            return template;
        }
    }
}

/// Puts scraps into a program, most of which make it none.
fn hurt(code: &mut String, chance: &mut Chance) {
    for _ in 0..=chance.below(3) {
        let mut at = chance.below(code.len());
        while !code.is_char_boundary(at) {
            at -= 1;
        }
        code.insert_str(at, chance.pick(&SCRAPS));
    }
}

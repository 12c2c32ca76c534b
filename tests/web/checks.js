// The measured acceptance checks of the page and its server: checks.sh.  A line for each: its figures,
// what is asked, and whether it holds.
//
//   node checks.js PROGRAM SITE SCENES [NUMBER...]
const { execFileSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const zlib = require('zlib');
const { launch, ticks, keyTimes } = require('./chromium.js');
const { host } = require('./host.js');
const { compare } = require('./pixels.js');
const { start, endAll, threads, memory, serve, Page, sleep } = require('./socket.js');

const [program, site, scenes] = process.argv.slice(2, 5).map((name) => path.resolve(name));
const tmp = fs.mkdtempSync(path.join(os.tmpdir(), 'ss-checks-'));
process.on('exit', () => fs.rmSync(tmp, { recursive: true, force: true }));
Object.assign(process.env, { HOME: tmp, XDG_STATE_HOME: tmp });

const sum = (list) => list.reduce((a, b) => a + b, 0);
const at = (sorted, part) => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))];
const settle = 2; // seconds
const shared = (n, ...more) => ['poisson2d', 'shared', '--n', n, '-e', 'view layer staleness', '-e', 'run', ...more];

// --- what is measured ----------------------------------------------------------------------------

// What pages are sent in some seconds, and the share of a core that threads of the program take.
async function watch(server, pages, seconds) {
    const before = pages.map((p) => [p.frames, p.bytes]), spent = threads(server.pid), from = performance.now();
    await sleep(seconds);
    const took = (performance.now() - from) / 1e3, now = threads(server.pid);
    const share = (id) => 100 * (now.get(id) - (spent.get(id) || 0)) / took;
    const fps = pages.map((p, i) => (p.frames - before[i][0]) / took), bytes = pages.map((p, i) => p.bytes - before[i][1]);
    return { least: Math.min(...fps), most: Math.max(...fps), net: share(server.net), main: share(server.main),
        all: sum([...now.keys()].map(share)), frame: sum(bytes) / sum(fps) / took / 1e3, mbit: Math.max(...bytes) * 8e-6 / took };
}

// A server with pages that have a frame.
async function open(args, count, options) {
    const server = await serve(program, ...args), pilot = new Page(server, { pilot: true });
    await pilot.until(() => pilot.frames > 0); // it begins the run
    pilot.close();
    const pages = Array.from({ length: count }, () => new Page(server, options));
    await Promise.all(pages.map((p) => p.until(() => p.frames > 0)));
    await sleep(settle);
    return { server, pages, end: () => { pages.forEach((p) => p.close()); return server.end(); } };
}

// The player's own reader of frames.
async function reader() {
    for (const name of ['frames.js', 'ops.js']) fs.copyFileSync(path.join(site, name), path.join(tmp, name));
    fs.writeFileSync(path.join(tmp, 'package.json'), '{"type":"module"}');
    return (await import(path.join(tmp, 'frames.js'))).readFrame;
}

async function mirror() {
    const readFrame = await reader();
    let frame = null, unread = 0;
    const onFrame = (bytes) => {
        const next = readFrame(zlib.inflateRawSync(bytes), frame);
        unread += !next;
        frame = next;
    };
    const { server, pages, end } = await open(shared(512), 1, { keep: Infinity, onFrame });
    const m = await watch(server, pages, 20);
    await end();
    return [['frames per second', m.least, '>=', 29], ['kB per frame', m.frame, '<=', 25], ['frames not read', unread, '<=', 0]];
}

async function small() {
    const figures = [];
    for (const [name, args] of [['128', shared(128)], ['poisson3d', ['poisson3d', 'block-gs', '-e', 'run']]]) {
        const { server, pages, end } = await open(args, 1);
        figures.push([`kB per frame, ${name}`, (await watch(server, pages, 10)).frame, '<=', 5]);
        await end();
    }
    return figures;
}

async function echo() {
    const { pages: [page], end } = await open(shared(256), 1, { pilot: true }), times = [];
    for (let i = 2; i < 202; i++) {
        const from = performance.now();
        page.say(`key ${i} ${i % 2 ? 'K' : 'k'}`);
        times.push(await page.until(() => Number(page.said.done) >= i) - from);
        await sleep((100 - times.at(-1)) / 1e3);
    }
    await end();
    times.sort((a, b) => a - b);
    return [['ms, median', at(times, 0.5), '<=', 10], ['ms, 99 %', at(times, 0.99), '<=', 35]];
}

async function echoInBrowser(browser) {
    const server = await serve(program, ...shared(256)), page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(server.url);
    await page.waitForFunction(() => window.stencilscope?.frames > 0);
    await sleep(settle);
    const times = await keyTimes(page, 100);
    await page.close();
    await server.end();
    return [['ms, median', at(times, 0.5), '<=', 35], ['ms, 95 %', at(times, 0.95)]];
}

async function hundred() {
    const { server, pages, end } = await open(shared(512), 100);
    const m = await watch(server, pages, 30), used = memory(server.pid);
    await end();
    return [['least frames per second', m.least, '>=', 28], ['most minus least', m.most - m.least, '<=', 2],
        ['% of a core, net thread', m.net, '<=', 60], ['% main thread', m.main, '<=', 5], ['MB', used, '<=', 120]];
}

// A third of the pages each: as wide as the pilot's, upright, flat.
async function classroom() {
    const { server, pages, end } = await open(shared(1024), 99), sizes = ['1440 900', '390 844', '844 390'];
    pages.forEach((p, i) => p.say(`size 1 ${sizes[i % sizes.length]}`));
    await sleep(settle);
    const m = await watch(server, pages, 15);
    await end();
    return [['least frames per second', m.least, '>=', 28], ['Mbit/s each', m.mbit], ['% of a core, net thread', m.net, '<=', 60],
        ['% main thread', m.main, '<=', 15]];
}

// Serials of a frame and of the frame before it; the first bytes suffice.
function serialsOf(bytes) {
    const head = zlib.inflateRawSync(bytes, { finishFlush: zlib.constants.Z_SYNC_FLUSH });
    return [head.readUInt32LE(1), head.readUInt32LE(5)];
}

// The least memory of the program in a second: a history that grows is copied.
async function leastMemory(pid) {
    let least = Infinity;
    for (let i = 0; i < 10; i++) {
        await sleep(0.1);
        least = Math.min(least, memory(pid));
    }
    return least;
}

async function oneStops() {
    const { server, pages, end } = await open(shared(512), 10, { keep: 400 });
    const [stopped, ...others] = pages, seen = others.map(() => new Set());
    let whole = false;
    await sleep(10); // until the checkpoints of the run take all of their memory
    others.forEach((page, i) => { page.onFrame = (bytes) => seen[i].add(serialsOf(bytes)[0]); });
    const before = await leastMemory(server.pid);
    stopped.socket.pause();
    await sleep(9);
    const after = await leastMemory(server.pid);
    const from = performance.now();
    stopped.onFrame = (bytes) => { whole ||= serialsOf(bytes)[1] === 0; };
    stopped.socket.resume();
    const waited = await Promise.race([stopped.until(() => whole), sleep(5).then(() => Infinity)]) - from;
    await end();
    // Of the frames between those that all have: one that any page got counts for each.
    const first = Math.max(...seen.map((s) => Math.min(...s))), last = Math.min(...seen.map((s) => Math.max(...s)));
    const sent = [...new Set(seen.flatMap((s) => [...s]))].filter((n) => n >= first && n <= last);
    return [['frames lost by the other 9', sum(seen.map((s) => sent.filter((n) => !s.has(n)).length)), '<=', 0], ['sent', sent.length],
        ['MB more', after - before, '<=', 1], ['ms to a whole frame', waited, '<=', 100]];
}

// --- the speed of the solver ---------------------------------------------------------------------

const turns = 16, turn = 1.5; // seconds
const engine = (run) => Math.max(...threads(run.pid).values());

// Cycles per second of runs (wall), and per second of their engines' threads (alone); the share of a core
// that these had.  The runs go on by turns: what slows this machine for some seconds slows all of them.
// Each of begins(file) starts the program with --json; its signal(name) reaches what stops between turns.
async function cyclesPerSecond(begins) {
    const runs = [];
    for (const [i, begin] of begins.entries()) {
        const file = path.join(tmp, `speed${i}.json`), from = performance.now(), run = await begin(file);
        run.signal('SIGSTOP');
        runs.push({ ...run, file, took: performance.now() - from, before: engine(run) });
    }
    for (let i = 0; i < turns * runs.length; i++) {
        const run = runs[i % runs.length], from = performance.now();
        run.signal('SIGCONT');
        await sleep(turn);
        run.signal('SIGSTOP');
        run.took += performance.now() - from;
    }
    for (const run of runs) {
        run.busy = engine(run);
        run.signal('SIGCONT');
        await run.end();
        run.cycles = JSON.parse(fs.readFileSync(run.file)).cycles;
    }
    return runs.map((run) => ({ wall: 1e3 * run.cycles / run.took, alone: run.cycles / run.busy,
        share: 100 * (run.busy - run.before) / (turns * turn) }));
}

async function inTerminal(args, file) {
    const pid = path.join(tmp, 'pid'), words = [program, ...args, '--json', file].map((word) => `'${word}'`).join(' ');
    fs.rmSync(pid, { force: true });
    const child = start('script', ['-qfc', `stty rows 40 cols 120; echo $$ >${pid}; exec ${words}`, '/dev/null']);
    child.stdout.resume();
    while (!fs.existsSync(pid) || !fs.readFileSync(pid).length) await sleep(0.02);
    const number = Number(fs.readFileSync(pid)); // script stops when its program does
    return { pid: number, signal: (name) => (name === 'SIGCONT' ? [child.pid, number] : [number]).forEach((p) => process.kill(p, name)),
        end: () => { process.kill(number, 'SIGINT'); return child.ended; } };
}

async function inPages(args, file) {
    const { server, pages, end } = await open([...args, '--json', file], 100);
    return { pid: server.pid, signal: (name) => process.kill(server.pid, name), end };
}

async function speedAt(n) {
    const run = shared(n, '--fps', '30');
    const [terminal, web] = await cyclesPerSecond([
        (file) => inTerminal([...run, '--threads', '1', '--until', '0', '--ui', 'tui'], file), (file) => inPages(run, file)]);
    // Pictures come by the clock: an engine with half a core spends twice the share of its time on them.
    return [[`of the terminal's cycles at ${n}`, web.alone / terminal.alone, '>=', 0.9], ['by the clock', web.wall / terminal.wall],
        ['% of a core the engine had', Math.min(web.share, terminal.share), '>=', 95]];
}

const speed = async () => [...await speedAt(512), ...await speedAt(1024)];

// --- pictures, sizes, WebAssembly ----------------------------------------------------------------

async function pictures(browser) {
    const folder = path.join(tmp, 'scenes');
    fs.cpSync(site, folder, { recursive: true });
    const names = execFileSync(scenes, [folder], { encoding: 'utf8' }).trim().split('\n'), there = await host(folder, false);
    const page = await browser.newPage(), got = [];
    await page.goto(`${there.url}page.css`);
    await page.addStyleTag({ url: `${there.url}page.css` });
    await page.evaluate((fonts) => Promise.all(fonts.map((font) => document.fonts.load(font))),
        ['13px Inter', '600 13px Inter', '13px JetBrains Mono', '600 13px JetBrains Mono']);
    for (const name of names) got.push(await page.evaluate(compare, name));
    await page.close();
    there.close();
    const worst = (key) => got.reduce((a, b) => (b[key] > a[key] ? b : a)), other = worst('percent'), moved = worst('moved');
    return [['pictures', got.length], [`% of the pixels differ in ${other.name}`, other.percent, '<=', 2],
        [`pixels between texts in ${moved.name}`, moved.moved, '<=', 2]];
}

function sizes() {
    const bytes = (name) => fs.readFileSync(path.join(site, name));
    const brotli = (name) => (/woff2$/.test(name) ? bytes(name) : zlib.brotliCompressSync(bytes(name))).length / 1e3;
    const wasm = 'stencilscope.wasm', page = sum(fs.readdirSync(site).map(brotli));
    return [['MB of wasm', bytes(wasm).length / 1e6, '<=', 1.3], ['kB with brotli', brotli(wasm), '<=', 450], ['kB the page', page, '<=', 600]];
}

const millis = { 'µs': 1e-3, ms: 1, s: 1e3 };

// Milliseconds of solving.
function solving(command, args) {
    const said = execFileSync(command[0], [...command.slice(1), ...args], { encoding: 'utf8', cwd: tmp, stdio: ['ignore', 'pipe', 'ignore'] });
    const [, number, unit] = /([\d.]+) (µs|ms|s) solving/.exec(said);
    return number * millis[unit];
}

function wasm() {
    const run = ['--no-experimental-fetch', path.join(__dirname, 'run.js'), path.join(site, 'stencilscope.js')];
    const solvers = [['jacobi', '--cycles', '300'], ['shared', '--k', '16', '--block', '128', '--overlap', '30', '--cycles', '20']];
    return solvers.map(([solver, ...more]) => {
        const args = ['poisson2d', solver, ...more, '--n', '1024', '--precision', 'f64', '--until', '0', '--backend', 'cpu', '--ui', 'none'];
        const native = [], page = []; // by turns; the least counts
        for (let i = 0; i < 8; i++) {
            native.push(solving([program], [...args, '--threads', '1']));
            page.push(solving([process.execPath, ...run], args));
        }
        return [`times native's, ${solver}`, Math.min(...page) / Math.min(...native), '<=', 3];
    });
}

async function rest(browser) {
    const { server, pages, end } = await open(['poisson2d', 'shared', '--n', '128', '-e', 'step 3'], 1, { pilot: true });
    const served = (await watch(server, pages, 10)).all;
    await end();
    const there = await host(site, true), page = await browser.newPage();
    await page.goto(`${there.url}#c=${encodeURIComponent("stencilscope poisson2d shared --n 128 --until 0 -e 'step 3'")}`);
    await page.click('dialog[open] button[value=open]');
    await page.waitForFunction(() => window.stencilscope?.frames > 0);
    await sleep(4);
    const from = ticks();
    await sleep(10);
    const spent = (ticks() - from) / 10;
    await page.close();
    there.close();
    return [['% of a core, serve', served, '<=', 2], ['% the page, all of Chromium', spent, '<=', 2]];
}

// A program that hangs, goes on and is ended: what its page says.
async function cut(browser) {
    const server = await serve(program, ...shared(128)), page = await browser.newPage();
    await page.goto(server.url);
    await page.waitForFunction(() => window.stencilscope?.frames > 0);
    const said = async (yes) => {
        const from = performance.now();
        await page.waitForFunction((y) => !document.querySelector('output').hidden === y, yes, { timeout: 30000 });
        return (performance.now() - from) / 1e3;
    };
    process.kill(server.pid, 'SIGSTOP');
    const hangs = await said(true);
    process.kill(server.pid, 'SIGCONT');
    const back = await said(false), frames = await page.evaluate(() => window.stencilscope.frames);
    await page.waitForFunction((n) => window.stencilscope.frames > n, frames);
    process.kill(server.pid, 'SIGKILL');
    const ended = await said(true);
    await page.close();
    return [['s until it says that the program hangs', hangs, '<=', 5], ['s until it is connected again', back, '<=', 5],
        ['s until it says that the program is gone', ended, '<=', 5]];
}

// --- the checks ----------------------------------------------------------------------------------

const checks = {
    1: ['one watcher, 512, staleness, 20 s', mirror],
    2: ['small problems', small],
    3: ['from a key to its frame, 200 keys', echo],
    4: ['from a key to pixels in Chromium', echoInBrowser, true],
    5: ['100 watchers, 512, 30 s', hundred],
    6: ['99 watchers of three shapes, 1024, staleness', classroom],
    7: ['one of 10 watchers stops reading for 10 s', oneStops],
    8: ['the solver with 100 watchers', speed],
    9: ['who is foreign or sends junk', "make test T='web::*'; FUZZ_SECONDS=300 make test T=fuzz; make test T=asan; make test T=tsan"],
    10: ['a watcher changes nothing', "make test T='web::a_key_of_the_pilot_acts_and_one_of_a_watcher_does_not'"],
    11: ['the player beside cairo', pictures, true],
    12: ['frames arrive byte for byte', "make test T='stream::a_thousand_frames_with_some_dropped_arrive_byte_for_byte'"],
    13: ['sizes', sizes],
    14: ['native and WebAssembly fields are equal', 'make test T=web'],
    15: ['WebAssembly, 1024, f64, one thread', wasm],
    16: ['paused, 10 s', rest, true],
    17: ['first frame, with and without headers', 'make test T=web'],
    18: ['links', 'make test T=web'],
    19: ['lessons', 'make test T=web'],
    20: ['a phone, by touch', 'make test T=web'],
    21: ['the connection is cut', cut, true],
};

const most = 180; // seconds for one of them
const holds = { '<=': (v, limit) => v <= limit, '>=': (v, limit) => v >= limit, '==': (v, limit) => v === limit };
const words = ([name, v, sign, limit]) => `${Number.isInteger(v) ? v : v.toPrecision(3)} ${name}${sign ? ` (${sign} ${limit})` : ''}`;

async function figuresOf(run, browser) {
    const late = sleep(most).then(() => { throw new Error(`not done within ${most} s`); });
    try {
        const figures = await Promise.race([run(browser), late]);
        const good = figures.every(([, v, sign, limit]) => !sign || holds[sign](v, limit));
        return `${figures.map(words).join(', ')}: ${good ? 'ok' : 'missed'}`;
    } catch (e) {
        return `${e.message.split('\n')[0]}: missed`;
    } finally {
        endAll();
    }
}

(async () => {
    let browser;
    for (const number of process.argv.length > 5 ? process.argv.slice(5) : Object.keys(checks)) {
        const [what, run, shown] = checks[number] || ['there is no such check', 'checks are 1 to 21'];
        if (shown) browser ||= await launch();
        const figures = typeof run === 'string' ? run : shown && typeof browser === 'string' ? `skipped: ${browser}` : await figuresOf(run, browser);
        console.log(`${number.padStart(2)} ${what}: ${figures}`);
    }
    if (browser?.close) await browser.close();
    process.exit();
})();

// The page in headless Chromium: first frame, lessons, links, downloads, progress, rest.  Skipped without
// playwright-core (npm) or chromium.
//
//   node page.js SITE PROGRAM    SITE: build/web/site; PROGRAM: the native one
const { execFileSync } = require('child_process');
const fs = require('fs');
const http = require('http');
const os = require('os');
const path = require('path');
const { launch, ticks, keyTimes } = require('./chromium.js');
const { host } = require('./host.js');
const { serve } = require('./socket.js');

const [site, program] = process.argv.slice(2).map((name) => path.resolve(name));
const tmp = fs.mkdtempSync(path.join(os.tmpdir(), 'ss-page-'));
let browser, failed = 0;

function verdict(name, good, detail) {
    console.log(`${good ? 'ok' : 'not ok'} ${name}${detail === undefined ? '' : `: ${detail}`}`);
    failed += !good;
}

// A page of a fresh profile; with a link the user opens it.
async function open(url, { hash = '', wait = true } = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: 'dark', acceptDownloads: true,
        permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    page.trouble = [];
    page.on('pageerror', (e) => page.trouble.push(e.message));
    page.started = Date.now();
    await page.goto(url + hash);
    if (hash.startsWith('#c=')) await page.click('dialog[open] button[value=open]');
    if (wait) await page.waitForFunction(() => window.stencilscope?.frames > 0, null, { timeout: 20000 });
    page.first = Date.now() - page.started;
    if (wait) await page.waitForTimeout(1000); // keys before the first picture are not heard
    return page;
}

async function type(page, command) {
    await page.keyboard.type(`:${command}`);
    await page.keyboard.press('Enter');
}

// The file that a command saves, as a download.
async function save(page, command, name) {
    const [download] = await Promise.all([page.waitForEvent('download', { timeout: 15000 }), type(page, command)]);
    await download.saveAs(path.join(tmp, name));
    return fs.readFileSync(path.join(tmp, name));
}

const links = [
    'poisson2d jacobi --n 96 --cycles 50',
    "poisson2d shared --n 200 --k 8 --overlap 4 -e 'step 20' -e 'set k 5' -e 'step 10'",
    "poisson1d shared --n 1000 -e 'step 20' -e 'set k 12' -e 'step 10' -e undo -e 'step 10'",
    "euler1d swept -e 'step 8'",
    "poisson2d jacobi --n 96 -e 'step 10' -e 'paint 50 60 9 0.5' -e 'step 10'",
    'poisson2d jacobi --n 128 --precision f32 --cycles 40',
    'poisson2d shared --n 128 --problem random --seed 7 --cycles 12',
    'poisson2d async --n 128 --seed 3 --cycles 20',
    'poisson2d sor --n 100 --cycles 30',
    'poisson2d chebyshev --n 100 --cycles 30',
    'poisson2d cg --n 100 --cycles 30',
    'poisson2d multigrid --n 127 --cycles 3',
    "poisson1d jacobi --n 500 -e 'step 30' -e 'set solver sor' -e 'step 5'",
    'poisson3d block-gs --cycles 3',
    'advdiff2d shared --n 100 --cycles 9',
    'heat1d stepper --cycles 40',
    'heat1d swept --cycles 7',
    'ks1d swept --n 256 --cycles 20',
    "ks1d stepper -e 'step 5' -e 'paint 100 0 20 1' -e 'step 5'",
    "line shared --n 300 -e 'step 4' -e 'mark \"two words\"' -e 'step 4'",
].map((words) => `stencilscope ${words}`);
const junk = ["poisson2d -e 'save x.npy'", 'lesson 5', '%zz', 'poisson2d --hosts=a', 'frobnicate', "poisson2d -e 'step"];
const coded = (link) => `#c=${encodeURIComponent(link).replaceAll('%20', '+').replaceAll("'", '%27')}`;

async function firstFrames() {
    for (const headers of [true, false]) {
        const at = await host(site, headers);
        const page = await open(at.url);
        verdict(`first frame within 3 s, ${headers ? 'with' : 'without'} the host's headers`, page.first <= 3000, `${page.first} ms`);
        await page.context().close();
        at.close();
    }
}

async function sharedLinks(url) {
    for (const [i, link] of links.entries()) {
        const page = await open(url, { hash: coded(link) });
        await page.waitForTimeout(1000);
        const got = await save(page, 'save field.npy', `page${i}.npy`), native = path.join(tmp, `native${i}.npy`);
        execFileSync(program, ['--link', link, '--ui', 'none', '--backend', 'cpu', '--threads', '1', '--save', native], { stdio: 'ignore' });
        verdict(`the field of a link is the native one: ${link}`, got.equals(fs.readFileSync(native)) && page.trouble.length === 0, page.trouble[0]);
        await page.context().close();
    }
    for (const link of junk) {
        const page = await open(url, { hash: `#c=${link === '%zz' ? link : encodeURIComponent(link)}`, wait: false });
        const said = await page.waitForFunction(() => /Load the page again/.test(document.querySelector('output').textContent)
            && document.querySelector('output').textContent, null, { timeout: 15000 }).then((t) => t.jsonValue()).catch(() => '');
        verdict(`a link that is junk is refused: ${link}`, said !== '', said);
        await page.context().close();
    }
}

// --- addresses -----------------------------------------------------------------------------------

const addressOf = (page) => page.evaluate(() => decodeURIComponent(location.hash.replaceAll('+', ' ')));
const becomes = (page, pattern) => page.waitForFunction((source) => new RegExp(source).test(decodeURIComponent(location.hash.replaceAll('+', ' '))),
    pattern.source, { timeout: 10000 }).then(() => true, () => false);
const stepOf = (address) => Number(/'step (\d+)'/.exec(address)?.[1]);
const asksNothing = (page) => page.evaluate(() => !document.querySelector('dialog[open]'));

// Goes to another address of the same page, which loads it again.
async function go(page, url) {
    await page.evaluate(() => { window.old = true; });
    await page.goto(url);
    await page.waitForFunction(() => !window.old && window.stencilscope, null, { timeout: 20000 });
}
const drawn = (page) => page.waitForFunction(() => window.stencilscope?.frames > 0, null, { timeout: 20000 });

// Each preset has an address; its link, copied and opened by keyboard, shows the same and runs on.
async function presets(url) {
    const text = fs.readFileSync(path.join(__dirname, '../../assets/data/presets.txt'), 'utf8');
    const names = [...text.matchAll(/^(\w+) \|/gm)].map((m) => m[1]), page = await open(url), wrong = [];
    for (const name of names) {
        await go(page, `${url}#preset=${name}`);
        await drawn(page);
        if (!await becomes(page, /^#c=stencilscope /)) { wrong.push(`${name} does not open`); continue; }
        await page.keyboard.press('Y');
        let copied = '';
        for (let i = 0; i < 50 && !copied.includes('#c='); i++) {
            await page.waitForTimeout(100);
            copied = await page.evaluate(() => navigator.clipboard.readText());
        }
        await page.evaluate(() => navigator.clipboard.writeText(''));
        if (!copied) { wrong.push(`${name} copies nothing`); continue; }
        const link = decodeURIComponent(copied.split('#')[1].replaceAll('+', ' '));
        // A run that reaches its tolerance meanwhile stops there: neither the stop nor the step is compared.
        const view = (line) => line.replace(/^#?c=/, '').replace(/ --until \S+/, '').replace(/ -e 'step \d+'/, '').replace(/ -e '?(run|pause)'?(?= -e|$)/g, '');
        const runs = / -e 'run'$/.test(link) && !link.includes(' -e pause') && name !== 'wind'; // ended; diverged
        await page.goto('about:blank');
        await page.goto(copied);
        await page.waitForSelector('dialog[open]');
        await page.keyboard.press('Enter');
        await drawn(page);
        const opened = await becomes(page, /^#c=stencilscope /) && await page.waitForFunction((step) => {
            const at = /'step (\d+)'/.exec(decodeURIComponent(location.hash.replaceAll('+', ' ')));
            return history.state?.own && Number(at?.[1]) >= step;
        }, stepOf(link) + (runs ? 1 : 0), { timeout: 15000 }).then(() => true, () => false);
        const address = await addressOf(page);
        if (!opened || view(address) !== view(link)) wrong.push(`${name}: ${link} became ${address}`);
    }
    verdict('the link of each preset is opened by the keyboard, shows the same and runs on', names.length >= 18 && wrong.length === 0,
        wrong.join('; ') || names.length);
    await page.context().close();
}

async function addresses(url) {
    const page = await open(url, { hash: '#lesson=05&step=3' });
    verdict('an address names a step of a lesson', await becomes(page, /^#lesson=05-stale-halos&step=3$/), await addressOf(page));
    await type(page, 'lesson back');
    verdict('the address follows the steps', await becomes(page, /&step=2$/), await addressOf(page));
    await page.keyboard.press('Y');
    await page.waitForTimeout(300);
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    verdict('in a lesson its step is copied', /#lesson=05-stale-halos&step=2$/.test(copied), copied);
    await page.evaluate(() => { location.hash = '#lesson=06'; });
    verdict('a changed address is followed', await becomes(page, /^#lesson=06-\S+&step=1$/), await addressOf(page));
    await page.goBack();
    verdict('and back again', await becomes(page, /^#lesson=05-stale-halos&step=2$/), await addressOf(page));
    await go(page, `${url}#preset=line`);
    await drawn(page);
    await page.waitForTimeout(500);
    const brightness = async () => Math.min(...(await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)).match(/\d+/g).slice(0, 3));
    const dark = await brightness();
    await type(page, 'set k 5');
    await type(page, 'theme light');
    await becomes(page, /'set k 5'/);
    await page.reload();
    await drawn(page);
    const kept = await becomes(page, /'set k 5'/), quiet = await asksNothing(page);
    await page.waitForTimeout(500);
    const light = await brightness();
    verdict('the first theme is that of the system', dark < 60, dark);
    verdict('a page that is loaded again keeps its run and its theme, and asks nothing', kept && quiet && light > 200, `${light}, ${await addressOf(page)}`);
    await page.context().close();
}

// --- keyboard, mouse and touch -------------------------------------------------------------------

async function keyboard(url) {
    const page = await open(url, { hash: '#preset=stale' });
    const focused = () => page.evaluate(() => document.activeElement.tagName);
    const seen = [await focused()];
    for (const key of ['Tab', 'Tab', 'Escape', 'Tab']) {
        await page.keyboard.press(key);
        seen.push(await focused());
    }
    verdict('tab enters the canvas, is the program\'s there, and leaves after escape', seen.slice(0, 4).join() === 'BODY,CANVAS,CANVAS,CANVAS'
        && seen[4] !== 'CANVAS', seen.join());
    const taken = await page.evaluate(() => {
        const takes = (key, more) => !dispatchEvent(new KeyboardEvent('keydown', { key, cancelable: true, ...more }));
        const browsers = [...'lfpsdajz'].filter((key) => takes(key, { ctrlKey: true }))
            .concat(['F1', 'F3', 'F6', 'F7', 'F10', 'ContextMenu'].filter((key) => takes(key)));
        return { browsers, latin: takes('л', { code: 'KeyK' }), border: takes('g', { ctrlKey: true }) };
    });
    verdict('keys of the browser are left to it', taken.browsers.length === 0 && taken.border, taken.browsers.join());
    verdict('letters of other layouts stand for those in their places', taken.latin);
    await page.keyboard.press('q');
    await page.waitForTimeout(500);
    const frames = await page.evaluate(() => window.stencilscope.frames);
    await page.waitForTimeout(1000);
    verdict('q does not end the page', await page.evaluate(() => window.stencilscope.frames) > frames);
    await page.evaluate(() => { navigator.clipboard.writeText = () => Promise.reject(Error('no')); });
    await page.keyboard.press('Y');
    await page.waitForSelector('dialog[open]');
    const shown = await page.evaluate(() => getSelection().toString());
    await page.keyboard.press('Escape');
    verdict('a refused clipboard is said, and the link selected', /#c=stencilscope/.test(shown) && await asksNothing(page), shown);
    await page.goto('about:blank');
    await page.goto(url + coded(links[0]));
    await page.waitForSelector('dialog[open]');
    const words = () => page.evaluate(() => document.activeElement.textContent);
    const at = [await words()];
    await page.keyboard.press('Tab');
    at.push(await words());
    await page.keyboard.press('Escape');
    await drawn(page);
    verdict('a dialog is answered by tab and escape', at.join() === 'Open it,Start without it' && await asksNothing(page)
        && await page.evaluate(() => location.hash === ''), at.join());
    await page.context().close();
}

// In a frame the page around it scrolls until the frame was clicked.
async function framed(url) {
    const page = await open(url);
    const outer = '<body style="height:3000px"><iframe src="./#preset=stale" width=600 height=400></iframe>';
    await page.route('**/outer.html', (route) => route.fulfill({ body: outer, contentType: 'text/html',
        headers: { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' } }));
    await page.goto(`${url}outer.html`);
    await page.waitForFunction(() => document.querySelector('iframe').contentWindow.stencilscope?.frames > 0, null, { timeout: 20000 });
    const scroll = async () => {
        await page.mouse.move(300, 200);
        await page.mouse.wheel(0, 100);
        await page.waitForTimeout(500);
        const at = await page.evaluate(() => scrollY);
        await page.evaluate(() => scrollTo(0, 0));
        return at;
    };
    const before = await scroll();
    await page.mouse.click(300, 200);
    verdict('a frame lets the page around it scroll until it is clicked', before > 0 && await scroll() === 0, `${before} pixels`);
    await page.context().close();
}

// --- the page of the server ----------------------------------------------------------------------

// A proxy that shows the server below a path, as JupyterHub does.
const proxy = (port) => new Promise((ready) => {
    const inner = (request) => ({ port, host: '127.0.0.1', method: request.method, path: request.url.slice('/hub/8765'.length),
        headers: { ...request.headers, host: `127.0.0.1:${port}`, origin: `http://127.0.0.1:${port}` } });
    const server = http.createServer((request, answer) => {
        if (!request.url.startsWith('/hub/8765/')) { answer.writeHead(404); answer.end(); return; }
        request.pipe(http.request(inner(request), (got) => { answer.writeHead(got.statusCode, got.headers); got.pipe(answer); }));
    });
    server.on('upgrade', (request, socket) => {
        if (!request.url.startsWith('/hub/8765/')) { socket.destroy(); return; }
        http.request(inner(request)).on('upgrade', (got, to) => {
            const head = Object.entries(got.headers).map(([name, value]) => `${name}: ${value}`);
            socket.write(`HTTP/1.1 101 Switching Protocols\r\n${head.join('\r\n')}\r\n\r\n`);
            for (const end of [to, socket]) end.on('error', () => { to.destroy(); socket.destroy(); }); // the browser has left
            to.pipe(socket).pipe(to);
        }).end();
    });
    server.listen(0, '127.0.0.1', () => ready({ url: `http://127.0.0.1:${server.address().port}/hub/8765/`, close: () => server.close() }));
});

async function served() {
    const server = await serve(program, 'poisson2d', 'shared', '--n', '64'), behind = await proxy(server.port), context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${behind.url}${new URL(server.url).hash}`);
    const frames = await drawn(page).then(() => true, () => false);
    verdict('the page of the server works behind a path', frames, await page.innerText('output'));
    const watcher = await context.newPage();
    await watcher.addInitScript(() => Object.defineProperty(window, 'sessionStorage', { get() { throw new DOMException('no'); } }));
    await watcher.goto(`http://127.0.0.1:${server.watchPort}/`);
    const seen = await drawn(watcher).then(() => true, () => false);
    await watcher.keyboard.press('Tab');
    await watcher.keyboard.press('Tab');
    const focused = await watcher.evaluate(() => document.activeElement.tagName);
    await watcher.keyboard.press('Tab');
    const next = await watcher.evaluate(() => document.activeElement.tagName);
    verdict('who watches needs no storage, and leaves the canvas with tab', seen && [focused, next].some((tag) => tag !== 'CANVAS'), `${focused}, ${next}`);
    await context.close();
    behind.close();
    await server.end();
}

// --- what is missing -----------------------------------------------------------------------------

async function missing(url) {
    const cases = {
        'no storage': { init: () => ['localStorage', 'sessionStorage'].forEach((name) =>
            Object.defineProperty(window, name, { get() { throw new DOMException('Access is denied'); } })), starts: true },
        'no worker': { lacks: 'stencilscope.worker.js', says: /worker\.js could not be loaded/ },
        'no wasm': { lacks: 'stencilscope.wasm', says: /wasm could not be loaded/ },
        'no program': { lacks: 'stencilscope.js', says: /stencilscope\.js could not be loaded/ },
        'no module': { lacks: 'player.js', says: /could not be loaded/ },
        'a file': { at: `file://${site}/index.html`, says: /python3 -m http\.server/ },
        'no JavaScript': { options: { javaScriptEnabled: false }, says: /needs JavaScript/ },
    };
    for (const [name, { init, lacks, at, options, says, starts }] of Object.entries(cases)) {
        const context = await browser.newContext({ serviceWorkers: 'block', ...options }), page = await context.newPage();
        if (init) await page.addInitScript(init);
        if (lacks) await page.route(`**/${lacks}`, (route) => route.fulfill({ status: 404 }));
        const from = Date.now();
        await page.goto(at || url);
        let said = '';
        while (Date.now() - from < 10000 && !(starts ? said === 'starts' : says.test(said))) {
            await page.waitForTimeout(50);
            said = starts ? await page.evaluate(() => window.stencilscope?.frames > 0 && 'starts') : await page.innerText('output');
        }
        verdict(`${name}: ${starts ? 'it starts' : 'one sentence'}`, starts ? said === 'starts' : says.test(said), `${said}, ${Date.now() - from} ms`);
        await context.close();
    }
}

async function copiedLink(url) {
    const page = await open(url, { hash: coded(links[1]) });
    await page.waitForTimeout(1500);
    await type(page, 'set k 3');
    await page.waitForTimeout(300);
    await type(page, 'step 5');
    await page.waitForTimeout(1000);
    await type(page, 'copy');
    await page.waitForTimeout(500);
    const board = await page.evaluate(() => navigator.clipboard.readText()), hash = `#${board.split('#')[1]}`;
    await page.keyboard.press('Escape');
    const before = await save(page, 'save a.npy', 'a.npy');
    const other = await open(url, { hash });
    await other.waitForTimeout(2500);
    const after = await save(other, 'save a.npy', 'b.npy');
    verdict('a copied link leads to the same field in a fresh profile', hash !== coded(links[1]) && before.equals(after), decodeURIComponent(hash));
    verdict('the link is in the clipboard, of at most 2 kB', board.endsWith(hash) && board.length <= 2048, `${board.length} characters`);
    await page.context().close();
    await other.context().close();
}

async function progress(url) {
    const page = await open(url, { hash: '#lesson=01' });
    await type(page, 'lesson next');
    await type(page, 'lesson next');
    await page.waitForTimeout(2500);
    const kept = await page.evaluate(() => localStorage.getItem('lessons'));
    await page.reload();
    await page.waitForFunction(() => window.stencilscope?.frames > 0, null, { timeout: 20000 });
    await page.waitForTimeout(1500);
    const again = await page.evaluate(() => localStorage.getItem('lessons'));
    verdict('the progress of a lesson outlives a reload', /^01-tour /.test(kept || '') && kept === again, kept);
    await page.context().close();
}

async function rest(url) {
    const page = await open(url, { hash: coded("stencilscope poisson2d shared --n 128 --until 0 -e 'step 3'") });
    await page.waitForTimeout(4000);
    let from = ticks();
    await page.waitForTimeout(10000);
    const idle = (ticks() - from) / 10;
    verdict('paused, it takes at most 2 % of a core', idle <= 2, `${idle.toFixed(1)} %`);
    const see = (hidden) => page.evaluate((h) => {
        Object.defineProperty(document, 'hidden', { value: h, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
    }, hidden);
    await page.keyboard.press('Space');
    await page.waitForTimeout(1000);
    await see(true);
    await page.waitForTimeout(1500);
    from = ticks();
    await page.waitForTimeout(5000);
    const hidden = (ticks() - from) / 5, frames = await page.evaluate(() => window.stencilscope.frames);
    await see(false);
    await page.waitForTimeout(2000);
    const more = await page.evaluate(() => window.stencilscope.frames) - frames;
    verdict('hidden, it pauses, and goes on when it is seen', hidden <= 4 && more > 5, `${hidden.toFixed(1)} %, then ${more} frames in 2 s`);
    await page.context().close();
}

async function keys(url) {
    const page = await open(url, { hash: coded('stencilscope poisson2d shared --n 128 --until 0') });
    await page.waitForTimeout(1500);
    const times = await keyTimes(page, 60);
    verdict('a key shows within 35 ms (median)', times[30] <= 35, `${times[30].toFixed(1)} ms, 95 %: ${times[57].toFixed(1)} ms`);
    const frames = await page.evaluate(() => window.stencilscope.frames);
    await page.waitForTimeout(5000);
    const rate = (await page.evaluate(() => window.stencilscope.frames) - frames) / 5;
    verdict('a run draws at least 10 frames/s', rate >= 10, `${rate.toFixed(1)} frames/s`);
    await page.context().close();
}

// The lines of `lesson lint`, which solves every lesson with its author's solution; files: names and texts.
const lint = (files) => new Promise((done) => {
    const lines = [];
    window.Stencilscope({ arguments: ['lesson', 'lint', ...Object.keys(files)], print: (line) => lines.push(line),
        preRun: [({ FS }) => { for (const [name, text] of Object.entries(files)) FS.writeFile(name, text); }],
        onAbort: (why) => done(String(why)), onExit: () => done(`${lines.join('\n')}\n`) });
});

async function lessons(url) {
    const folder = path.join(__dirname, '../../lessons'), names = fs.readdirSync(folder).filter((name) => /^\d.*\.md$/.test(name)).sort();
    const native = execFileSync(program, ['lesson', 'lint', ...names], { cwd: folder, encoding: 'utf8' });
    const page = await (await browser.newContext()).newPage();
    await page.goto(`${url}page.css`); // isolated, and no program is in it
    await page.addScriptTag({ url: `${url}stencilscope.js` });
    const began = Date.now(), lines = await page.evaluate(lint, Object.fromEntries(names.map((name) =>
        [name, fs.readFileSync(path.join(folder, name), 'utf8')])));
    verdict('the browser solves all lessons as the program does', names.length >= 18 && lines === native,
        lines === native ? `${names.length} lessons in ${((Date.now() - began) / 1000).toFixed(1)} s` : lines);
    await page.context().close();
}

// A phone, by touch alone: letters of 11 pixels and buttons of 40 at least; a number can be typed.
async function phone(url) {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true });
    const page = await context.newPage();
    await page.addInitScript(() => {
        const draw = CanvasRenderingContext2D.prototype.fillText;
        window.letters = new Map();
        CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
            window.letters.set(text, parseFloat(this.font.replace(/^600 /, '')) * this.getTransform().a / devicePixelRatio);
            return draw.call(this, text, x, y);
        };
    });
    page.on('dialog', (dialog) => dialog.accept('7'));
    await page.goto(`${url}#lesson=05`);
    await page.waitForFunction(() => window.stencilscope?.frames > 0, null, { timeout: 20000 });
    await page.waitForTimeout(1000);
    await page.evaluate(() => window.letters.clear()); // of the first frame, which was made for another page
    await page.tap('button[data-type]');
    await page.tap('button[data-key=enter]');
    await page.waitForTimeout(1500);
    const [smallest, predicted] = await page.evaluate(() => [Math.min(...window.letters.values()), window.letters.has('you predicted 7')]);
    const sides = await page.$$eval('nav button', (all) => all.flatMap((b) => [b.offsetWidth, b.offsetHeight]));
    verdict('a phone has letters of 11 pixels, and buttons of 40', smallest >= 11 && Math.min(...sides) >= 40, `${smallest}, ${Math.min(...sides)}`);
    verdict('a number is typed by touch', predicted);
    const number = await page.evaluate(() => window.stencilscope.number);
    await page.tap('canvas');
    await page.waitForTimeout(900);
    verdict('a tap leaves no tip', await page.evaluate(() => window.stencilscope.number) === number + 2);
    await context.close();
}

(async () => {
    browser = await launch();
    if (typeof browser === 'string') { console.log(`skip browser ${browser}`); return; }
    const at = await host(site, true);
    const only = process.env.ONLY;
    await firstFrames();
    for (const test of [keys, lessons, phone, presets, addresses, keyboard, framed, served, missing, sharedLinks, copiedLink, progress, rest])
        if (!only || only.split(',').includes(test.name)) await test(at.url).catch((e) => verdict(test.name, false, e.message));
    await browser.close();
    at.close();
    fs.rmSync(tmp, { recursive: true });
    process.exitCode = failed ? 1 : 0;
})();

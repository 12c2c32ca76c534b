// The page in headless Chromium: first frame, lessons, links, downloads, progress, rest.  Skipped without
// playwright-core (npm) or chromium.
//
//   node page.js SITE PROGRAM    SITE: build/web/site; PROGRAM: the native one
const { execFileSync } = require('child_process');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { launch, ticks, keyTimes } = require('./chromium.js');
const { host } = require('./host.js');

const [site, program] = process.argv.slice(2).map((name) => path.resolve(name));
const tmp = fs.mkdtempSync(path.join(os.tmpdir(), 'ss-page-'));
let browser, failed = 0;

function verdict(name, good, detail) {
    console.log(`${good ? 'ok' : 'not ok'} ${name}${detail === undefined ? '' : `: ${detail}`}`);
    failed += !good;
}

// A page of a fresh profile; with a link the user opens it.
async function open(url, { hash = '', wait = true } = {}) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, acceptDownloads: true,
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

async function copiedLink(url) {
    const page = await open(url, { hash: coded(links[1]) });
    await page.waitForTimeout(1500);
    await type(page, 'set k 3');
    await page.waitForTimeout(300);
    await type(page, 'step 5');
    await page.waitForTimeout(1000);
    await type(page, 'copy');
    await page.waitForFunction((old) => location.hash !== old, coded(links[1]), { timeout: 5000 }).catch(() => {});
    const hash = await page.evaluate(() => location.hash), board = await page.evaluate(() => navigator.clipboard.readText());
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
    await context.close();
}

async function ending(url) {
    const page = await open(url);
    await page.keyboard.press('q');
    const said = await page.waitForFunction(() => document.querySelector('output').textContent, null, { timeout: 10000 }).then((t) => t.jsonValue()).catch(() => '');
    verdict('the end of the program is said', /ended/.test(said), said);
    await page.context().close();
}

(async () => {
    browser = await launch();
    if (typeof browser === 'string') { console.log(`skip browser ${browser}`); return; }
    const at = await host(site, true);
    const only = process.env.ONLY;
    await firstFrames();
    for (const test of [keys, lessons, phone, sharedLinks, copiedLink, progress, rest, ending])
        if (!only || only.split(',').includes(test.name)) await test(at.url).catch((e) => verdict(test.name, false, e.message));
    await browser.close();
    at.close();
    fs.rmSync(tmp, { recursive: true });
    process.exitCode = failed ? 1 : 0;
})();

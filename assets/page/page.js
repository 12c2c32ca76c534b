// The page that holds the whole program: frames out of WebAssembly, keys and mouse into it
// (ui/page/inbox.h); files, lessons' progress and links.
import { ask, copyText, openScreen, say, store } from './screen.js';

const WORK = '/files', STATE = '/home/web_user/.local/state/stencilscope';
const PROGRESS = `${STATE}/lessons`;
let program = null, words = '';
const saved = new Map(); // names and times of files that the page gave away or read

const call = (name, type, value) => program?.ccall(name, null, [type], [value]);
const post = (...line) => call('ss_page_say', 'string', line.join(' '));
const forgetLink = () => history.replaceState(null, '', location.pathname);

// --- a page of its own -------------------------------------------------------------------------

const remember = (what) => history.replaceState({ ...history.state, ...what }, '');

// Threads share memory, which browsers allow to isolated pages only. Reloads once if a service
// worker helps.
async function isolated() {
    const again = history.state?.again;
    remember({ again: false });
    if (crossOriginIsolated) return true;
    try {
        if (again || !navigator.serviceWorker) return false;
        await navigator.serviceWorker.register('isolate.js');
        await navigator.serviceWorker.ready;
    } catch { return false; } // the browser keeps nothing for this site
    remember({ again: true });
    location.reload();
    return new Promise(() => {});
}

// --- addresses ---------------------------------------------------------------------------------

// The line of a run, or of a lesson at its step, as an address of this page.
function addressOf(line) {
    const [, lesson, step] = /^stencilscope lesson (\S+) (\d+)$/.exec(line) || [];
    return `${location.href.split('#')[0]}#${new URLSearchParams(lesson ? { lesson, step } : { c: line.trim() })}`;
}

// What the address asks for: a lesson, a preset, or a command line, if it is that of the user's own
// page, which was loaded again, or if the user wants it.
async function asked() {
    const hash = new URLSearchParams(location.hash.slice(1)), line = hash.get('c');
    const word = (name) => /^\w[\w-]*$/.exec(hash.get(name) || '')?.[0];
    if (word('lesson')) return ['lesson', word('lesson'), ...(/^[1-9]\d?$/.exec(hash.get('step') || '') || [])];
    if (word('preset')) return ['-e', `presets ${word('preset')}`];
    if (line === null) return [];
    const own = history.state?.own
        || await ask('This link opens a run:', line, { open: 'Open it', '': 'Start without it' });
    if (own) return ['--link', line];
    forgetLink();
    return [];
}

// The page's address follows what is shown.
const follow = (line) => history.replaceState({ own: true }, '', addressOf(line));
addEventListener('hashchange', () => location.reload()); // a link was followed, or back was pressed

// A line is copied as a link; that which plays a file, or the data of a chart, as it is.
async function copy(text) {
    const link = text.startsWith('stencilscope ') && !text.includes(' --run ');
    if (!await copyText(link ? addressOf(text) : text)) post('refused');
}

// The theme that was chosen here, else that of the system.
function themeOf() {
    const light = matchMedia('(prefers-color-scheme: light)').matches;
    return store.get('theme') || (light ? 'light' : 'dark');
}

// --- files -------------------------------------------------------------------------------------

function give(name, bytes) {
    const href = URL.createObjectURL(new Blob([bytes]));
    Object.assign(document.createElement('a'), { href, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(href), 10000);
}

// Files that the program has written since the last look, and the progress of lessons.
function collect() {
    const { FS } = program;
    for (const name of FS.readdir(WORK)) {
        const file = `${WORK}/${name}`, { mode, mtime } = FS.stat(file);
        if (!FS.isFile(mode) || name.endsWith('.tmp') || saved.get(name) === +mtime) continue;
        saved.set(name, +mtime);
        give(name, FS.readFile(file));
    }
    if (FS.analyzePath(PROGRESS).exists)
        store.set('lessons', FS.readFile(PROGRESS, { encoding: 'utf8' }));
}

function prepare({ FS }) {
    FS.mkdirTree(WORK);
    FS.mkdirTree(STATE);
    FS.chdir(WORK);
    const progress = store.get('lessons');
    if (progress) FS.writeFile(PROGRESS, progress);
}

async function drop(e) {
    e.preventDefault();
    for (const file of e.dataTransfer.files) {
        const name = file.name.replace(/[^\w.-]/g, '_');
        program.FS.writeFile(`${WORK}/${name}`, new Uint8Array(await file.arrayBuffer()));
        saved.set(name, +program.FS.stat(`${WORK}/${name}`).mtime);
        post('drop', name);
    }
}

// --- the program -------------------------------------------------------------------------------

function ended(code) {
    collect();
    program = null;
    if (code) forgetLink();
    say(code && words ? `${words} (Load the page again to start without it.)`
        : 'The program has ended. Load the page again to start it.');
}

function started(module, screen) {
    program = module;
    const hide = () => post(document.hidden ? 'hidden' : 'seen');
    document.addEventListener('visibilitychange', hide);
    addEventListener('dragover', (e) => e.preventDefault());
    addEventListener('drop', drop);
    setInterval(() => program && collect(), 1000);
    screen.size();
    if (document.hidden) hide();
}

// A file of the site.
async function need(name) {
    const got = await fetch(name).catch(() => null);
    if (!got?.ok) throw Error(`${name} could not be loaded: this site lacks a file, or the network is gone.`);
    return got.arrayBuffer();
}

async function begin() {
    if (!window.Stencilscope) return; // reasons.js has said why
    say('Loading …');
    if (!await isolated())
        throw Error('This browser, or the site around this page, does not allow shared memory, which the program needs.');
    const [wasmBinary] = await Promise.all(['stencilscope.wasm', 'stencilscope.worker.js'].map(need));
    const screen = await openScreen(post), theme = themeOf();
    const module = {
        arguments: [...await asked(), '--ui', 'web', '--backend', 'cpu', '--theme', theme],
        wasmBinary,
        preRun: [prepare],
        onRuntimeInitialized: () => started(module, screen),
        frame: (bytes, done) => {
            const serial = screen.show(bytes);
            screen.done = done;
            if (screen.frames === 1) say('');
            call('ss_page_shown', 'number', serial);
        },
        copy,
        address: follow,
        theme: (name) => { if (name !== themeOf()) store.set('theme', name); },
        printErr: (text) => { words ||= text.replace(/^stencilscope: /, ''); console.warn(text); },
        onAbort: (why) => { program = null; say(`The program failed: ${why}`); },
        onExit: ended,
    };
    await window.Stencilscope(module);
}

begin().catch((e) => say(e.message));

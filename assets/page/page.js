// The page that holds the whole program: frames out of WebAssembly, keys and mouse into it
// (ui/page/inbox.h); files, lessons' progress and links.
import { openScreen, say } from './screen.js';

const WORK = '/files', STATE = '/home/web_user/.local/state/stencilscope';
const PROGRESS = `${STATE}/lessons`;
let program = null, words = '';
const saved = new Map(); // names and times of files that the page gave away or read

const call = (name, type, value) => program?.ccall(name, null, [type], [value]);
const post = (...line) => call('ss_page_say', 'string', line.join(' '));
const forgetLink = () => history.replaceState(null, '', location.pathname);

// --- a page of its own -------------------------------------------------------------------------

// Threads share memory, which browsers allow to isolated pages only. Reloads once if a service
// worker helps.
async function isolated() {
    if (crossOriginIsolated) return sessionStorage.removeItem('reloaded') || true;
    if (!navigator.serviceWorker || sessionStorage.getItem('reloaded')) return false;
    await navigator.serviceWorker.register('isolate.js');
    await navigator.serviceWorker.ready;
    sessionStorage.setItem('reloaded', '1');
    location.reload();
    return new Promise(() => {});
}

// --- links -------------------------------------------------------------------------------------

// What the address asks for: a lesson, or a command line, if the user wants it.
async function asked() {
    const hash = new URLSearchParams(location.hash.slice(1)), line = hash.get('c');
    if (/^\w[\w-]*$/.test(hash.get('lesson') || '')) return ['lesson', hash.get('lesson')];
    if (line === null) return [];
    const dialog = document.querySelector('dialog');
    dialog.querySelector('pre').textContent = line;
    dialog.showModal();
    await new Promise((done) => { dialog.onclose = done; });
    if (dialog.returnValue === 'open') return ['--link', line];
    forgetLink();
    return [];
}

// The command line of a run is copied as a link, which is the page's address, too; that of a file is
// none.
function copy(text) {
    const run = text.startsWith('stencilscope ') && !text.includes(' --run ');
    const link = `${location.href.split('#')[0]}#${new URLSearchParams({ c: text.trim() })}`;
    if (run) history.replaceState(null, '', link);
    navigator.clipboard?.writeText(run ? link : text).catch(() => {});
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
        localStorage.setItem('lessons', FS.readFile(PROGRESS, { encoding: 'utf8' }));
}

function prepare({ FS }) {
    FS.mkdirTree(WORK);
    FS.mkdirTree(STATE);
    FS.chdir(WORK);
    const progress = localStorage.getItem('lessons');
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

async function begin() {
    if (!await isolated())
        throw Error('This browser, or the site around this page, does not allow shared memory, which the program needs.');
    if (!window.Stencilscope) throw Error('The program could not be loaded.');
    const screen = await openScreen(post);
    const module = {
        arguments: [...await asked(), '--ui', 'web', '--backend', 'cpu'],
        preRun: [prepare],
        onRuntimeInitialized: () => started(module, screen),
        frame: (bytes, done) => {
            const serial = screen.show(bytes);
            screen.done = done;
            if (screen.frames === 1) say('');
            call('ss_page_shown', 'number', serial);
        },
        copy,
        printErr: (text) => { words ||= text.replace(/^stencilscope: /, ''); console.warn(text); },
        onAbort: (why) => { program = null; say(`The program failed: ${why}`); },
        onExit: ended,
    };
    await window.Stencilscope(module);
}

begin().catch((e) => say(e.message));

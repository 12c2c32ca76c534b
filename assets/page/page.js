// The page that holds the whole program: frames out of WebAssembly, keys and mouse into it
// (ui/page/inbox.h); files, lessons' progress and links.
import { drawFrame, fitCanvas, readFrame } from './player.js';
import { listen } from './input.js';

const canvas = document.querySelector('canvas'), status = document.querySelector('output');
const HOME = '/home/web_user', PROGRESS = `${HOME}/.local/state/stencilscope/lessons`, WORK = '/files', LINK = '#c=';
const pointers = ['default', 'pointer', 'crosshair', 'ew-resize', 'ns-resize'];
let program = null, frame = null, place = { x: 0, y: 0, scale: 1 }, number = 0, words = '';
const saved = new Map(); // names and times of files that the page gave away or read

const say = (text) => { status.textContent = text; status.hidden = !text; };
const post = (...line) => program?.ccall('ss_page_say', null, ['string'], [line.join(' ')]);

// --- a page of its own -------------------------------------------------------------------------------

// Threads share memory, which browsers allow to isolated pages only. Reloads once if a service worker helps.
async function isolated() {
    if (crossOriginIsolated) return sessionStorage.removeItem('reloaded') || true;
    if (!navigator.serviceWorker || sessionStorage.getItem('reloaded')) return false;
    await navigator.serviceWorker.register('isolate.js');
    await navigator.serviceWorker.ready;
    sessionStorage.setItem('reloaded', '1');
    location.reload();
    return new Promise(() => {});
}

// --- links --------------------------------------------------------------------------------------------

const linkOf = (command) => location.href.split('#')[0] + LINK + encodeURIComponent(command).replaceAll('%20', '+').replaceAll("'", '%27');

// What the address asks for: a lesson, or a command line, if the user wants it.
async function asked() {
    const lesson = /^#lesson=([\w-]+)$/.exec(location.hash);
    if (lesson) return ['lesson', lesson[1]];
    if (!location.hash.startsWith(LINK)) return [];
    let text;
    try { text = decodeURIComponent(location.hash.slice(LINK.length).replaceAll('+', ' ')); } catch { text = ''; }
    const dialog = document.createElement('dialog');
    dialog.innerHTML = '<p>This link opens a run:</p><pre></pre><form method="dialog">'
        + '<button value="open" autofocus>Open it</button><button value="">Start without it</button></form>';
    dialog.querySelector('pre').textContent = text;
    document.body.append(dialog);
    dialog.showModal();
    await new Promise((done) => dialog.addEventListener('close', done, { once: true }));
    if (dialog.returnValue === 'open') return ['--link', text];
    history.replaceState(null, '', location.pathname);
    return [];
}

// The command line of a run is copied as a link, which is the page's address, too; that of a file is none.
function copy(text) {
    const link = text.startsWith('stencilscope ') && !text.includes(' --run ') ? linkOf(text.trim()) : null;
    if (link) history.replaceState(null, '', link);
    navigator.clipboard?.writeText(link || text).catch(() => {});
}

// --- files ----------------------------------------------------------------------------------------------

function give(name, bytes) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([bytes]));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

// Files that the program has written since the last look, and the progress of lessons.
function collect() {
    const { FS } = program;
    for (const name of FS.readdir(WORK)) {
        const { mode, mtime } = FS.stat(`${WORK}/${name}`);
        if (!FS.isFile(mode) || name.endsWith('.tmp') || saved.get(name) === mtime.getTime()) continue;
        saved.set(name, mtime.getTime());
        give(name, FS.readFile(`${WORK}/${name}`));
    }
    if (FS.analyzePath(PROGRESS).exists) localStorage.setItem('lessons', FS.readFile(PROGRESS, { encoding: 'utf8' }));
}

function prepare({ FS }) {
    FS.mkdirTree(WORK);
    FS.mkdirTree(PROGRESS.replace(/\/[^/]*$/, ''));
    FS.chdir(WORK);
    const progress = localStorage.getItem('lessons');
    if (progress) FS.writeFile(PROGRESS, progress);
}

async function drop(e) {
    e.preventDefault();
    for (const file of e.dataTransfer.files) {
        const name = file.name.replace(/[^\w.-]/g, '_');
        program.FS.writeFile(`${WORK}/${name}`, new Uint8Array(await file.arrayBuffer()));
        saved.set(name, program.FS.stat(`${WORK}/${name}`).mtime.getTime());
        post('drop', name);
    }
}

// --- frames and events -----------------------------------------------------------------------------------

function show(bytes, done) {
    const next = readFrame(bytes, frame);
    if (next) {
        frame = next;
        place = drawFrame(canvas, frame);
        canvas.style.cursor = pointers[frame.pointer];
        window.stencilscope.frames++;
        window.stencilscope.done = done;
        if (window.stencilscope.frames === 1) say('');
    }
    program.ccall('ss_page_shown', null, ['number'], [frame?.serial || 0]);
}

function size() {
    const [w, h] = fitCanvas(canvas);
    if (frame) place = drawFrame(canvas, frame);
    post('size', ++number, w, h);
}

function ended(code) {
    collect();
    program = null;
    if (code) history.replaceState(null, '', location.pathname);
    say(code && words ? `${words} (Load the page again to start without it.)` : 'The program has ended. Load the page again to start it.');
}

function attach() {
    listen(canvas, (kind, ...line) => post(kind, ++number, ...line),
        (e) => [(e.clientX * devicePixelRatio - place.x) / place.scale, (e.clientY * devicePixelRatio - place.y) / place.scale]);
    addEventListener('resize', size);
    document.addEventListener('visibilitychange', () => post(document.hidden ? 'hidden' : 'seen'));
    addEventListener('dragover', (e) => e.preventDefault());
    addEventListener('drop', drop);
    setInterval(() => program && collect(), 1000);
    size();
    if (document.hidden) post('hidden');
}

async function begin() {
    if (!await isolated()) return say('This browser, or the site around this page, does not allow shared memory, which the program needs.');
    await Promise.all(['13px Inter', '600 13px Inter', '13px "JetBrains Mono"', '600 13px "JetBrains Mono"'].map((f) => document.fonts.load(f)));
    const module = { arguments: [...await asked(), '--ui', 'web', '--backend', 'cpu'], preRun: [prepare], frame: show, copy, onExit: ended,
        onRuntimeInitialized: () => { program = module; attach(); },
        onAbort: (why) => { program = null; say(`The program failed: ${why}`); },
        printErr: (text) => { words ||= text.replace(/^stencilscope: /, ''); console.warn(text); } };
    await window.Stencilscope(module);
}

window.stencilscope = { frames: 0, done: 0, post, get number() { return number; } };
const script = document.createElement('script');
script.src = 'stencilscope.js';
script.onload = () => begin().catch((e) => say(e.message));
script.onerror = () => say('The program could not be loaded.');
document.head.append(script);

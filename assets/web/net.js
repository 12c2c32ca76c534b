// The page of `stencilscope serve`: frames from a socket, keys and mouse into it (ui/web/lines.h).
import { copyText, openScreen, say } from './screen.js';
import { join } from './class.js';

const token = new URLSearchParams(location.hash.slice(1)).get('t') || '-', pilot = token !== '-';
const FIRST = 250, LONGEST = 5000, SILENCE = 4000; // ms between two attempts; until it is cut
let socket, wait = FIRST, heard = 0, queue = Promise.resolve();
let why = ''; // the connection has ended
const post = (...words) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(words.join(' '));
};
say('Connecting …');
const screen = await openScreen(post, pilot);

// What the server says besides frames: a word, then its text.
const told = {
    done: (n) => { screen.done = Number(n); },
    copy: (text) => { copyText(text); }, // frames do not wait for an answer
    say,
    ...join(post, pilot),
};

async function take(data) {
    if (typeof data === 'string') {
        const word = data.split(' ', 1)[0];
        return told[word]?.(data.slice(word.length + 1));
    }
    const inflated = data.stream().pipeThrough(new DecompressionStream('deflate-raw'));
    const serial = screen.show(new Uint8Array(await new Response(inflated).arrayBuffer()));
    return serial ? post('shown', serial) : post('again');
}

function opened() {
    why = '';
    screen.forget();
    post('hello', 1, token);
    screen.size();
    say('');
}

function connect() {
    socket = new WebSocket(new URL('ws', location.href.replace(/^http/, 'ws')), 'ss1');
    socket.onopen = opened;
    socket.onclose = ended;
    socket.onmessage = ({ data }) => {
        heard = Date.now();
        wait = FIRST;
        queue = queue.then(() => take(data)).catch((e) => say(e.message));
    };
    heard = Date.now();
}

function ended({ code, reason }) {
    socket.onclose = null;
    if (code === 1001 && reason) told.question('0'); // the program has ended
    say(why = reason || why || 'The connection to the program is cut; trying again …');
    if (code !== 1008) setTimeout(connect, wait = Math.min(2 * wait, LONGEST)); // it was refused
}

// A program that hangs, or a network that is gone, closes nothing.
function look() {
    post('alive');
    if (socket.onclose !== ended || Date.now() - heard <= SILENCE) return;
    ended({});
    socket.close();
}

connect();
setInterval(look, 1000);

// Those who watch: the question of a lesson and the answer to it; their address; files of the run, for
// the pilot (ui/web/lines.h).
import { say } from './screen.js';

const bar = document.getElementById('class'), form = document.getElementById('question');
const [watches] = bar.children, [text, choices, field, note] = form.children;
const input = field.querySelector('input'), KEPT = 3; // files that are offered at once

const make = (tag, own) => Object.assign(document.createElement(tag), own);

// A page's name for itself: one that is loaded again does not count twice, unless its browser keeps
// nothing.
function nameOf() {
    const fresh = crypto.getRandomValues(new Uint32Array(1))[0] || 1;
    try { return sessionStorage.name ||= fresh; } catch { return fresh; }
}
const name = nameOf();

// A QR code of rows of 0 and 1, with the quiet border that readers need.
function drawn(rows) {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    const path = document.createElementNS(svg.namespaceURI, 'path'), n = rows.length + 8;
    svg.setAttribute('viewBox', `-4 -4 ${n} ${n}`);
    svg.setAttribute('shape-rendering', 'crispEdges');
    path.setAttribute('d', rows.flatMap((row, y) =>
        [...row].map((bit, x) => (bit === '1' ? `M${x} ${y}h1v1h-1z` : ''))).join(''));
    svg.append(path);
    return svg;
}

// The address, as large as the page. Any key closes it.
function showAddress(address, rows) {
    const poster = make('dialog', { className: 'poster' });
    poster.append(...rows.length ? [drawn(rows)] : [], make('p', { textContent: address }));
    poster.onclick = () => poster.close();
    poster.onkeydown = (e) => { e.stopPropagation(); e.preventDefault(); poster.close(); };
    poster.onclose = () => { poster.remove(); document.querySelector('canvas').focus(); };
    document.body.append(poster);
    poster.showModal();
}

// post(...words): sends a line. pilot: knows the token. Returns what the server's words do.
export function join(post, pilot) {
    let number = 0, given = '';
    const answer = (value) => { given = value; post('answer', number, name, value); };
    const shows = make('button', {}), files = make('span', {});
    bar.append(shows, files);
    if (!pilot) watches.textContent = 'you watch';

    function question(id, asked, ...list) {
        number = Number(id);
        form.hidden = number === 0;
        if (number) say('');
        if (text.textContent !== asked) given = '';
        text.textContent = asked;
        choices.replaceChildren(...list.map((words, i) =>
            make('button', { value: i + 1, textContent: words })));
        field.hidden = list.length > 0;
        input.value = given;
        note.textContent = '';
        if (number && given) answer(given); // the connection was cut
    }

    function answered() {
        for (const b of choices.children) b.ariaPressed = b.value === given;
        const counted = `Your answer is counted${field.hidden ? '' : `: ${given}`}.`;
        note.textContent = `${counted} You can change it until the question is closed.`;
    }

    // The note may be hidden with its question.
    function rejected(why) {
        if (form.hidden) say(why);
        else note.textContent = why;
    }

    function watch(lines) {
        const [address, ...rows] = lines.split('\n');
        shows.textContent = 'address for the class';
        shows.onclick = () => showAddress(address, rows);
    }

    // The browser may be on another machine than the file.
    function file(words) {
        const path = words.slice(33), download = path.split('/').pop(), item = make('span', {});
        item.append(make('a', { href: `/file/${words.slice(0, 32)}`, download,
            textContent: `download ${download}` }), ` (on the server: ${path}) `);
        files.prepend(item);
        while (files.children.length > KEPT) files.lastChild.remove();
    }

    form.onsubmit = (e) => {
        const value = e.submitter?.value || input.value;
        e.preventDefault();
        if (value) answer(value);
    };
    form.onkeydown = (e) => e.stopPropagation();
    return {
        question: (lines) => question(...lines.split('\n')),
        answered,
        rejected,
        watch,
        file,
        watching: (n) => { if (pilot) watches.textContent = n !== '0' ? `${n} watching` : ''; },
    };
}

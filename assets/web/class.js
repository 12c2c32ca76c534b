// Those who watch: the question of a lesson and the answer to it; who steers (ui/web/lines.h).
import { say } from './screen.js';

const bar = document.getElementById('seat'), form = document.getElementById('question');
const [watches, says, asks] = bar.children, [text, choices, field, note] = form.children;
const input = field.querySelector('input');

// A page's name for itself: one that is loaded again does not count twice, unless its browser keeps
// nothing.
function nameOf() {
    const fresh = crypto.getRandomValues(new Uint32Array(1))[0] || 1;
    try { return sessionStorage.name ||= fresh; } catch { return fresh; }
}
const name = nameOf();

// post(...words): sends a line. pilot: knows the token. Returns what the server's words do.
export function join(post, pilot) {
    let number = 0, given = '';
    const answer = (value) => { given = value; post('answer', number, name, value); };

    function question(id, asked, ...list) {
        number = Number(id);
        form.hidden = number === 0;
        if (number) say('');
        if (text.textContent !== asked) given = '';
        text.textContent = asked;
        choices.replaceChildren(...list.map((words, i) =>
            Object.assign(document.createElement('button'), { value: i + 1, textContent: words })));
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

    form.onsubmit = (e) => {
        const value = e.submitter?.value || input.value;
        e.preventDefault();
        if (value) answer(value);
    };
    form.onkeydown = (e) => e.stopPropagation();
    asks.onclick = (e) => {
        post(pilot ? 'give' : 'ask');
        if (e.detail) document.querySelector('canvas').focus(); // by mouse or finger
    };
    return {
        question: (lines) => question(...lines.split('\n')),
        answered,
        rejected,
        seat: (lines) => {
            [, says.textContent, asks.textContent] = lines.split('\n');
            document.body.classList.toggle('watches', !pilot && !lines.startsWith('2'));
        },
        watching: (n) => { watches.textContent = pilot && n !== '0' ? `${n} watching` : ''; },
    };
}

// Those who watch: the question of a lesson and the answer to it; who steers (ui/web/lines.h).
const find = (id) => document.getElementById(id), form = find('question'), bar = find('seat'), watches = find('watching');
const button = (text, act) => Object.assign(document.createElement('button'), { type: 'button', textContent: text, onclick: act });

// A page's name for itself: one that is loaded again does not count twice.
function ownName() {
    const known = sessionStorage.getItem('name') || crypto.getRandomValues(new Uint32Array(1))[0] || 1;
    sessionStorage.setItem('name', known);
    return known;
}

// post(...words): sends a line. pilot: knows the token. Returns what the server's words do.
export function join(post, pilot) {
    const asks = bar.querySelector('button'), given = { text: '', value: '' };
    let number = 0, watching = 0;
    const answer = (value) => { given.value = value; post('answer', number, ownName(), value); };
    const mark = () => { for (const b of form.querySelectorAll('[data-value]')) b.ariaPressed = b.dataset.value === given.value; };

    function ask(id, text, ...choices) {
        number = Number(id);
        form.hidden = number === 0;
        if (given.text !== text) Object.assign(given, { text, value: '' });
        form.querySelector('p').textContent = text || '';
        form.querySelector('div').replaceChildren(...choices.map((words, i) => {
            const b = button(words, () => answer(String(i + 1)));
            b.dataset.value = i + 1;
            return b;
        }));
        form.querySelector('label').hidden = choices.length > 0;
        form.querySelector('input').value = given.value;
        form.querySelector('small').textContent = '';
        if (number && given.value) answer(given.value); // the connection was cut
    }

    form.onsubmit = (e) => {
        e.preventDefault();
        const { value } = form.querySelector('input');
        if (value) answer(value);
    };
    form.addEventListener('keydown', (e) => e.stopPropagation());
    asks.onclick = () => { post(pilot ? 'give' : 'ask'); asks.blur(); };
    if (pilot) addEventListener('keydown', (e) => {
        if (e.key !== 'F9' || asks.hidden) return;
        e.stopImmediatePropagation();
        e.preventDefault();
        post('give');
    }, true);

    const words = (state, n) => pilot
        ? [[watching && `${watching} watching`, state && 'a watcher steers: any key or press takes the seat back'].filter(Boolean).join(' · '),
            n > 0 ? `${n} ask${n > 1 ? '' : 's'} to steer: F9 gives the seat to the first` : '']
        : [['you watch', 'you asked to steer: the pilot decides', 'you steer'][state], state === 0 ? 'ask to steer' : ''];
    let state = 0, asking = 0;
    function show() {
        const [text, act] = words(state, asking);
        watches.textContent = text;
        asks.textContent = act;
        asks.hidden = !act;
        bar.hidden = !text && !act;
        document.body.classList.toggle('watches', !pilot && state !== 2);
    }

    return {
        question: (text) => ask(...text.split('\n')),
        answered: () => { mark(); form.querySelector('small').textContent = `Your answer is counted${form.querySelector('label').hidden ? '' : `: ${given.value}`}. You can change it until the question is closed.`; },
        seat: (text) => { [state, asking] = text.split(' ').map(Number); show(); },
        watching: (n) => { watching = Number(n); show(); },
    };
}

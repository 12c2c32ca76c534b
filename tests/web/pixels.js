// A frame as the player draws it beside the same scene drawn by cairo (scenes.c). compare() runs in
// the page, which loads the player.
exports.compare = async (name) => {
    const { readFrame } = await import('./frames.js'), { drawFrame } = await import('./player.js');
    const get = async (file) => (await fetch(file)).blob();
    const draw = CanvasRenderingContext2D.prototype.fillText;
    const texts = []; // boxes [x, y, width, size] of the frame
    const FAR = 32, SLIGHT = 48; // of 255, a channel: another pixel; a pixel of a text

    function pixelsOf(w, h, paint) {
        const canvas = Object.assign(document.createElement('canvas'), { width: w, height: h });
        paint(canvas);
        return canvas.getContext('2d').getImageData(0, 0, w, h).data;
    }

    async function cairo(file) {
        const image = await createImageBitmap(await get(file));
        return pixelsOf(image.width, image.height, (canvas) => canvas.getContext('2d').drawImage(image, 0, 0));
    }

    const frame = readFrame(new Uint8Array(await (await get(`${name}.bin`)).arrayBuffer()), null), { w, h } = frame;
    function player(fillText) {
        CanvasRenderingContext2D.prototype.fillText = fillText;
        return pixelsOf(w, h, (canvas) => drawFrame(canvas, frame));
    }
    const here = player(function (text, x, y) {
        texts.push([x, y, this.measureText(text).width, parseFloat(this.font.replace(/^600 /, ''))]);
        draw.call(this, text, x, y);
    });
    const bare = player(() => {});
    CanvasRenderingContext2D.prototype.fillText = draw;
    const there = await cairo(`${name}.png`), thereBare = await cairo(`${name}-bare.png`);

    const apart = (a, b, i) => Math.max(Math.abs(a[i] - b[i]), Math.abs(a[i + 1] - b[i + 1]), Math.abs(a[i + 2] - b[i + 2]));
    function each([x, y, width, size], act) {
        for (let r = Math.max(0, Math.floor(y - size)); r < Math.min(h, y + 0.4 * size); r++)
            for (let c = Math.max(0, Math.floor(x - 3)); c < Math.min(w, x + width + 3); c++) act(c, r);
    }

    // The box of what a text adds to a picture; infinite: nothing.
    function inked(text, full, empty) {
        const box = [Infinity, Infinity, -Infinity, -Infinity];
        each(text, (x, y) => {
            if (apart(full, empty, 4 * (y * w + x)) > SLIGHT)
                [box[0], box[1], box[2], box[3]] = [Math.min(box[0], x), Math.min(box[1], y), Math.max(box[2], x), Math.max(box[3], y)];
        });
        return box;
    }

    const covered = new Uint8Array(w * h);
    let moved = 0, hidden = 0;
    for (const text of texts) {
        const a = inked(text, here, bare), b = inked(text, there, thereBare);
        each(text, (x, y) => { covered[y * w + x] = 1; });
        if (a[0] === Infinity && b[0] === Infinity) hidden++;
        else moved = Math.max(moved, ...a.map((v, k) => Math.abs(v - b[k])));
    }
    let other = 0, all = 0;
    for (let i = 0; i < w * h; i++) {
        all += !covered[i];
        other += !covered[i] && apart(here, there, 4 * i) > FAR;
    }
    return { name, percent: 100 * other / all, moved, texts: texts.length - hidden };
};

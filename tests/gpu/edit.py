#!/usr/bin/env python3
"""kernel edit on a real GPU, through --ui text.  Usage: edit.py PROGRAM [FOLDER]
Run in the repository's root (it reads kernels/cuda/jacobi/ladder.cuh) with only python3 and the program.
Prints what the program said after each save, with seconds."""
import os, re, signal, subprocess, sys, tempfile, threading, time

program = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else 'build/release/stencilscope')
root = os.getcwd()
work = sys.argv[2] if len(sys.argv) > 2 else tempfile.mkdtemp(prefix='edit-gpu-')
source = os.path.join(root, 'kernels/cuda/jacobi/ladder.cuh')
own = open(source).read()
copy = os.path.join(work, 'ladder.cuh')
failures = 0


class Run:
    def __init__(self, *options, env=None):
        self.lines, self.seen, self.began = [], 0, time.time()
        self.p = subprocess.Popen([program, *options, '--ui', 'text'], cwd=work, text=True, bufsize=1,
                                  stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                  env=dict(os.environ, **(env or {})))
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.p.stdout:
            self.lines.append((time.time(), line.rstrip('\n')))

    def send(self, line):
        self.p.stdin.write(line + '\n')
        self.p.stdin.flush()

    def expect(self, what, pattern, seconds=60):
        global failures
        begin = time.time()
        while time.time() - begin < seconds:
            for i in range(self.seen, len(self.lines)):
                if re.search(pattern, self.lines[i][1]):
                    self.seen = i + 1
                    print(f'ok      {what} ({self.lines[i][0] - begin:.2f} s): {self.lines[i][1]}')
                    return True
            if self.p.poll() is not None and self.seen >= len(self.lines):
                break
            time.sleep(0.02)
        failures += 1
        print(f'NOT OK  {what}: {pattern!r} did not come within {seconds} s; last lines:')
        for _, line in [x for x in self.lines[self.seen:] if not x[1].startswith('cycle')]:
            print('        |', line)
        return False

    def quit(self, seconds=3.0):
        global failures
        begin = time.time()
        try:
            self.send('quit')
        except BrokenPipeError:
            pass
        try:
            self.p.wait(seconds)
            print(f'ok      quit in {time.time() - begin:.2f} s')
        except subprocess.TimeoutExpired:
            failures += 1
            print(f'NOT OK  quit: not within {seconds} s')
            self.p.kill()


def save(text):
    with open(copy + '.new', 'w') as f:
        f.write(text)
    os.rename(copy + '.new', copy)


def changed(pattern, by, text=own):
    new, n = re.subn(pattern, by, text, count=1)
    if n != 1:
        sys.exit(f'ladder.cuh has no {pattern!r}')
    return new


def in_kernel(name, at_begin):
    """The text with a line at the begin of the kernel's body."""
    i = own.index(name + '(')
    i = own.index('\n{\n', i) + 3
    return own[:i] + at_begin + '\n' + own[i:]


UPDATE = r'next\.v\[k\] = update\('
spin = in_kernel('jacobi6_vector', '    while (*(volatile const int *)stop != 12345)\n        ;')
wild = in_kernel('jacobi6_vector', '    *(volatile T *)(out + (1LL << 40)) = 0;')
late = changed(r'template <class E, class F, bool NORM, typename T = typename E::real>\n__global__ void __launch_bounds__\(512\)',
               'static __device__ unsigned calls;\n\\g<0>',
               in_kernel('jacobi6_vector',
                         '    if (blockIdx.x == 0 && threadIdx.x == 0 && threadIdx.y == 0 && atomicAdd(&calls, 1) > 200000)\n'
                         '        *(volatile T *)(out + (1LL << 40)) = 0;'))

print(f'# {program} in {work}')
options = ['poisson2d', 'jacobi', '--n', '1024', '--until', '0', '--backend', 'cuda']
run = Run(*options, '--json', 'out.json', '--csv', 'out.csv')
run.expect('start', r'^cycle \d+')
run.send('run')
run.send('kernel edit')
run.expect('kernel edit', r'each save is tried')

save(changed(UPDATE, 'next.v[k] = (T)0.999 * update('))
run.expect('a factor changed', "its field differs from the CPU's; .* per cycle")
save(changed(r'int wanted = 0;\n    double squares', 'int wanted = 0\n    double squares'))
run.expect('a syntax error', r'is not used: .*ladder\.cuh\(\d+\): error')
save(own + '// mended\n')
run.expect('mended', 'same bits as the CPU; .* per cycle')
save(changed(r'__launch_bounds__\(512\)\n    jacobi6_vector', '__launch_bounds__(256)\n    jacobi6_vector'))
run.expect('another launch bound', 'same bits as the CPU; .* per cycle')
save(spin)
run.expect('an endless loop', r'did not finish within 2\.\d+ s')
save(own + '// after the loop\n')
run.expect('the next save', 'same bits as the CPU; .* per cycle', 10)
save(spin + '// another\n')
time.sleep(1.8)
save(own + '// while the loop ran\n')
run.expect('a save while a loop runs', 'same bits as the CPU; .* per cycle', 10)
save(wild)
run.expect('an illegal address', r'is not used: the GPU failed: .*illegal')
run.send('save state.ckpt')
run.expect('a saved state', 'wrote state.ckpt')
save(spin + '// at the end\n')
time.sleep(1.8)
run.quit()
print('#       JSON edited:', re.search(r'"edited":(null|\{[^}]*\})', open(os.path.join(work, 'out.json')).read()).group(0))
print('#       CSV:', open(os.path.join(work, 'out.csv')).readline().rstrip())
left = []
for pid in filter(str.isdigit, os.listdir('/proc')):
    try:
        words = open(f'/proc/{pid}/cmdline').read().replace('\0', ' ')
    except OSError:
        continue
    if 'kernels try' in words and work in words:
        left.append(words)
print('ok      no trial is left' if not left else f'NOT OK  a trial is left: {left}')

loaded = subprocess.run([program, '--load', 'state.ckpt', '--backend', 'cpu', '--cycles', '100000000', '--seconds', '0.5',
                         '--json', '-'], cwd=work, capture_output=True, text=True)
match = re.search(r'"edited":(null|\{[^}]*\})', loaded.stdout)
print('#       the saved state on the CPU:', match.group(0) if match else loaded.stderr)

os.remove(copy)
run = Run(*options)
run.send('run')
run.send('kernel edit')
run.expect('kernel edit', r'each save is tried')
time.sleep(3)  # there is a checkpoint
save(late)
run.expect('an address that is illegal later', 'same bits as the CPU; .* per cycle')
run.expect('the run itself has lost the device', r'an edited kernel: the GPU failed: .*: continuing on CPU.* from cycle \d+', 60)
time.sleep(1)
run.quit()

print('# other kernels: same bits, times beside the built-in (copies without a change of code)')
for text in ('poisson2d shared --n 2048 --k 8', 'poisson2d persistent --n 512', 'poisson2d cg --n 1024', 'poisson2d async --n 1024',
             'poisson3d jacobi', 'heat1d swept --n 65536 --cycles 2000000000', 'poisson2d jacobi --n 16384', 'poisson2d jacobi --n 16384 --precision f32'):
    if os.path.exists(os.path.join(work, 'other')):
        subprocess.run(['rm', '-r', os.path.join(work, 'other')])
    os.mkdir(os.path.join(work, 'other'))
    saved, work = work, os.path.join(work, 'other')
    run = Run(*text.split(), '--backend', 'cuda', *([] if 'swept' in text else ['--until', '0']))
    run.send('run')
    run.send('kernel edit')
    if run.expect(text, r'^edit .*: each save is tried'):
        path = re.search(r'^edit (.*): each save', run.lines[run.seen - 1][1]).group(1)
        with open(path, 'a') as f:
            f.write('// not the same text\n')
        run.expect(text, 'edited kernel [0-9a-f]+, .* per cycle|is not used', 90)
    run.quit()
    work = saved

print('#', failures, 'failures')
sys.exit(failures > 0)

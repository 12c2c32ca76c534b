// Runs the program for WebAssembly under node: node run.js PROGRAM.js ARGUMENTS...
// Files that exist here and are named by an argument can be read; files that the program writes
// into its working folder are written here.  (node 18 and later: --no-experimental-fetch)
const fs = require('fs');
const path = require('path');

const [program, ...args] = process.argv.slice(2);

function copyIn(FS) {
    FS.mkdir('/files');
    FS.chdir('/files');
    for (const name of args)
        if (fs.existsSync(name) && fs.statSync(name).isFile() && !path.isAbsolute(name))
            FS.writeFile(name, fs.readFileSync(name));
}

function copyOut(FS) {
    for (const name of FS.readdir('/files'))
        if (FS.isFile(FS.stat('/files/' + name).mode) && !args.includes(name) || name.endsWith('.npy'))
            fs.writeFileSync(name, FS.readFile('/files/' + name));
}

const Module = {
    arguments: args,
    preRun: [module => copyIn(module.FS)],
    onExit: status => {
        copyOut(Module.FS);
        process.exitCode = status;
    },
};
require(path.resolve(program))(Module);

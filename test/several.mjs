/**
 * Seconds a file may take, and test files: runs them one after another in this process, each as a subtest named like the
 * file. A file's own `t`, tap's root test, stands for that subtest while the file is at work: hooks, time limits, folders
 * and teardowns of a file end with it.
 */
// Tap names folders by what the program was called with, and names of folders have an end.
const [seconds, ...names] = process.argv.splice(2)
const { default: t } = await import('tap')

const root = t.test.bind(t)
let file
for (const name of [
  ...['test', 'skip', 'todo', 'comment', 'setTimeout', 'testdir'],
  ...['before', 'beforeEach', 'after', 'afterEach', 'teardown'],
]) {
  const own = t[name].bind(t)
  t[name] = (...given) => (file === undefined ? own(...given) : file[name](...given))
}

for (const name of names) {
  root(name, { timeout: Number(seconds) * 1000 }, async (subtest) => {
    file = subtest
    subtest.teardown(() => {
      file = undefined
    })
    await import(new URL(`../${name}`, import.meta.url).href)
  })
}

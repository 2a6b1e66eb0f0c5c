/** Every task type keeps what the contract demands. */
import { readdirSync } from 'node:fs'
import t from 'tap'
import { conformingTask } from '../../conformance/index.js'
import { taskSubjects } from './subjects/index.js'

for (const [name, subject] of Object.entries(taskSubjects)) {
  t.test(name, async (t) => {
    conformingTask((title, run) => t.test(title, async () => run()), subject)
  })
}

t.test('every task type in the tree is tried', async (t) => {
  const folder = new URL('../../../plugins/tasks/', import.meta.url)
  const tried = new Set(Object.keys(taskSubjects).map((name) => name.split(' ')[0]))
  t.strictSame(
    readdirSync(folder).filter((name) => !tried.has(name)),
    [],
  )
})

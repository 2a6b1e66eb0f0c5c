/** Units and dimensions for the editor of rate cards: those of the task types that serve a model, else all there are. */
import t from 'tap'
import { taskGateway, taskModel } from '../../../kit/task-gateway.js'

const { admin } = await taskGateway(t)
const channel = { key: 'k', base_url: 'https://upstream.example', group: 'default' }
await admin.channel({ ...channel, type: 36, name: 'songs', models: 'suno_music' })
const found = (model: string) => admin.must('GET', `/api/prices/units?model=${model}`)

t.test('[BILL-6] a model has the units and dimensions of what serves it', async (t) => {
  t.match(await found(taskModel), {
    serves: true,
    task_types: [
      {
        plugin: 'task.test',
        units: ['second', 'piece', 'frame'],
        dimensions: ['resolution', 'weather'],
        translations: { zh: { frame: '帧' } },
      },
    ],
  })
  const { task_types: types } = await found('suno_music')
  t.strictSame(
    types.map(({ plugin }: { plugin: string }) => plugin),
    ['task.suno'],
  )
  t.ok(types[0].dimensions.includes('instrumental'))
})

t.test('where nothing is known to serve it, those of all task types are listed', async (t) => {
  const { serves, task_types: types } = await found('nothing')
  t.equal(serves, false)
  t.ok(types.length > 10)
  const channels = await admin.must('GET', '/api/channel/')
  const { id } = channels.items.find(({ name }: { name: string }) => name === 'songs')
  await admin.must('PUT', '/api/channel/', { id, status: 2 })
  t.equal((await found('suno_music')).serves, false, 'nor by a channel that is off')
  t.match(await admin.call('GET', '/api/prices/units'), { status: 400, body: { field: 'model' } })
})

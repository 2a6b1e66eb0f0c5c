/** Models of media for the Playground: which fields their requests have, and what one would cost. */
import t from 'tap'
import { management } from '../../kit/management.js'
import { taskGateway, taskModel } from '../../kit/task-gateway.js'

const gateway = await taskGateway(t)
const { admin, upstream, url } = gateway
await admin.option('ModelPrice', { 'dall-e-3': 0.04, suno_music: 0.1, mj_upscale: 0.1 })
await admin.option('ModelRatio', { 'gpt-4o-mini': 1 })
await admin.option('GroupRatio', { default: 1, vip: 2 })
const channel = { key: 'k', base_url: 'https://upstream.example', group: 'default' }
await admin.channel({ ...channel, type: 1, name: 'secret-name', models: 'dall-e-3,gpt-4o-mini' })
await admin.channel({ ...channel, type: 36, name: 'songs', models: 'suno_music' })
await admin.channel({ ...channel, type: 2, name: 'pictures', models: 'mj_upscale' })

const password = 'a long password'
await admin.must('POST', '/api/user/', { username: 'ann', password })
const ann = management(url)
await ann.login('ann', password)

const price = (fields: object, more: object = {}) =>
  ann.call('POST', '/api/media/price', { model: taskModel, fields, ...more })

t.test('models of media are listed with their fields, others and channels are not', async (t) => {
  const { models, forms } = await ann.must('GET', '/api/media/models')
  t.strictSame(
    models.map(({ model, operation }: Record<string, string>) => [model, operation]),
    [
      [taskModel, 'video'],
      ['dall-e-3', 'images'],
      ['suno_music', 'music'],
    ],
  )
  const names = models.map(({ form }: { form: number }) =>
    forms[form].map(({ name }: { name: string }) => name),
  )
  t.strictSame(names[0], ['prompt', 'image', 'seconds', 'resolution', 'audio'])
  t.strictSame(names[1], ['prompt', 'n', 'size', 'quality'])
  t.ok(names[2].includes('make_instrumental'))
  t.notMatch(JSON.stringify({ models, forms }), /secret-name|upstream\.example/)
})

t.test('each form comes with the words its plugin has for it in other languages', async (t) => {
  const { models, forms, translations } = await ann.must('GET', '/api/media/models')
  t.equal(translations.length, forms.length)
  const words = models.map(({ form }: { form: number }) => translations[form].zh)
  t.match(words[0], { Seconds: '秒数', weather: '天气' })
  t.notOk('Sound' in words[0], 'what the plugin does not translate is left out')
  t.match(words[1], { 'For example 1024x1024.': '例如 1024x1024。' })
  t.match(words[2], { Instrumental: '纯音乐' })
})

t.test(
  '[ROUTE-15] of a group that is named, its models; of one that cannot be used, none',
  async (t) => {
    t.equal((await ann.call('GET', '/api/media/models?group=nowhere')).status, 403)
    t.equal((await ann.must('GET', '/api/media/models?group=default')).models.length, 3)
  },
)

t.test('a price is that of the request, and nothing is sent or charged', async (t) => {
  t.match(await price({ prompt: 'a lake', seconds: 4, resolution: '1080p' }), {
    status: 200,
    body: { data: { quota: 8000, counts: { second: 4 }, dimensions: { resolution: '1080p' } } },
  })
  t.match((await price({ prompt: 'x' }, { model: 'suno_music' })).body.data, { quota: 50_000 })
  t.match((await price({ prompt: 'x' }, { model: 'dall-e-3' })).body.data, { quota: 20_000 })
  t.equal(upstream.submissions.length, 0)
})

t.test('a field that is wrong is named, and so is a value without a price', async (t) => {
  t.match(await price({ prompt: 'a lake', seconds: 4000 }), {
    status: 400,
    body: { field: 'seconds' },
  })
  t.equal((await price({ prompt: 'a lake', resolution: '480p' })).body.success, false)
  t.match((await price({}, { model: 'gpt-4o-mini' })).body, { code: 'model_not_found' })
})

/** A channel whose plugin was taken away, or does not load any more: shown as such, and out of every list that offers it. */
import t from 'tap'
import { ask, scriptedGateway } from '../../kit/scripted-gateway.js'
import { chat, json } from '../../kit/upstream.js'
import { throwingPlugins } from './throwing-plugins.js'

t.test('a channel without its plugin is shown as such and offers no models', async (t) => {
  const here = await scriptedGateway(t, { roots: [throwingPlugins(t)] })
  const { admin, upstream, gateway } = here
  upstream.script(json(200, chat.whole('fine', 1, 1)))
  await admin.option('ModelRatio', { 'gpt-4o-mini': 1, 'only-there': 1 })
  const fields = { name: 'own', key: 'k', base_url: upstream.url, models: 'only-there,gpt-4o-mini' }
  const id = await admin.channel({ ...fields, type: 950, group: 'default', priority: 10 })
  const listed = async () => {
    const answer = await fetch(`${here.url}/v1/models`, {
      headers: { authorization: `Bearer ${here.key}` },
    })
    const { data } = (await answer.json()) as { data: { id: string }[] }
    return data.map((model) => model.id).sort()
  }
  t.same(await listed(), ['gpt-4o-mini', 'only-there'])
  t.equal((await admin.must('GET', `/api/channel/${id}`)).plugin_missing, false)

  const { database, changes } = storeOf(gateway)
  await database.knex.transaction(async (trx) => {
    await trx('channels').where({ id }).update({ type: 999 })
    await changes.note(trx, 'channels', id)
  })
  await changes.settled()
  t.same(await listed(), ['gpt-4o-mini'])
  const { items } = await admin.must('GET', '/api/channel/?page_size=10')
  t.match(
    items
      .map((row: { id: number; plugin_missing: boolean }) => [row.id, row.plugin_missing])
      .sort(),
    [
      [1, false],
      [id, true],
    ],
  )
  t.equal((await here.chat(ask())).status, 200)
  t.match(await (await here.chat(ask({ model: 'only-there' }))).json(), {
    error: { code: 'model_not_found' },
  })
})

type Gateway = Awaited<ReturnType<typeof scriptedGateway>>['gateway']

function storeOf(gateway: Gateway) {
  return { database: gateway.service('database'), changes: gateway.service('changes') }
}

/** What the page of a channel warns of: fields its upstream refused, which can be cleared, and a stored fault of its settings. */
import t from 'tap'
import { until } from '../kit/outside.js'
import { scriptedUpstream } from '../kit/upstream.js'
import { findings } from './kit/axe.js'
import { noBrowser, openConsole } from './kit/browser.js'

const refused = [
  'tools.0.custom.eager_input_streaming: Extra inputs are not permitted',
  '`temperature` is deprecated for this model.',
  'This model does not support image input.',
]

t.test('what an upstream refused is on the page of its channel', { skip: noBrowser }, async (t) => {
  const upstream = await scriptedUpstream(t)
  const { page, open, picture, gateway } = await openConsole(t)
  const { admin } = gateway
  const [model, key] = ['claude-opus-4-8', 'upstream-key']
  const own = { type: 14, name: 'Claude', key, base_url: upstream.url, models: model }
  const id = await admin.channel({ ...own, group: 'default' })
  await admin.option('ModelRatio', { [model]: 1 })
  const card = page.locator('[data-test=refusals]')

  await open(`/channels/${id}/settings`)
  await card.getByText('It has refused nothing as unknown or unsupported.').waitFor()
  t.equal(await card.getByRole('button').count(), 0, 'there is nothing to clear')

  for (const message of [...refused, refused[0]!]) {
    upstream.script((_, response) => {
      response.writeHead(400, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message } }),
      )
    })
    await (await gateway.chat({ model, messages: [{ role: 'user', content: 'hi' }] })).text()
  }
  // They are written behind the requests.
  const counted = async () => {
    const rows = await admin.must('GET', `/api/channel/${id}/refusals`)
    return rows.reduce((sum: number, { count }: { count: number }) => sum + count, 0) === 4
  }
  await until(counted)
  await page.reload()
  await card.getByText('tools[].custom.eager_input_streaming').waitFor()
  const [first, ...others] = await card.locator('li').allTextContents()
  t.match(first, /2 times/)
  t.match(first, /Extra inputs are not permitted/)
  t.match(others.join(), /temperature.*1 time.*deprecated/)
  t.match(others.join(), /No field named/)
  t.strictSame(await findings(page), [])
  await picture('channel-refusals-light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.reload()
  await card.getByText('temperature', { exact: true }).waitFor()
  t.strictSame(await findings(page), [])
  await picture('channel-refusals-dark')
  await page.setViewportSize({ width: 390, height: 844 })
  await card.scrollIntoViewIfNeeded()
  const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
  t.equal(wide, false, 'nothing sticks out of a phone')
  await picture('channel-refusals-phone')

  await card.getByRole('button', { name: 'Seen, clear' }).click()
  await card.getByText('It has refused nothing as unknown or unsupported.').waitFor()
  t.strictSame(await admin.must('GET', `/api/channel/${id}/refusals`), [])
})

t.test(
  'a stored fault of its settings is on the page of a channel',
  { skip: noBrowser },
  async (t) => {
    const { page, open, picture, gateway } = await openConsole(t)
    const id = await gateway.admin.channel({
      ...{ type: 1, name: 'Migrated', key: 'upstream-key', base_url: 'https://upstream.example' },
      ...{ models: 'm', group: 'default' },
    })
    const changes = gateway.gateway.service('changes')
    // As an import writes it.
    await gateway.gateway.service('database').knex.transaction(async (trx) => {
      const routes = [{ incoming_path: '/v1/everything', upstream_path: '/v1/everything' }]
      const settings = JSON.stringify({ advanced_custom: { advanced_routes: routes } })
      await trx('channels').where({ id }).update({ type: 58, settings })
      await changes.note(trx, 'channels', id)
    })
    await changes.settled()
    await open(`/channels/${id}/settings`)
    const fault = page.getByRole('alert').filter({ hasText: 'A fault of the settings' })
    await fault.getByText(/advanced_routes\[0\]\.incoming_path/).waitFor()
    t.strictSame(await findings(page), [])
    await picture('channel-fault')
  },
)

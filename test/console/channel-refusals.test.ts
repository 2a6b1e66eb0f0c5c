/** Fields that an upstream refused, on the page of its channel: seen in both themes and on a phone, and cleared. */
import t from 'tap'
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

  await open(`/channels/${id}`)
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
  await gateway.gateway.idle()
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

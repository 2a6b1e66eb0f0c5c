/** The full test on the page of a channel: what it says before, what becomes of each request, and that nobody here pays. */
import type { ServerResponse } from 'node:http'
import t from 'tap'
import { chat, json, type Recorded, scriptedUpstream } from '../kit/upstream.js'
import { findings } from './kit/axe.js'
import { noBrowser, openConsole } from './kit/browser.js'

const models = ['m-1', 'text-embedding-3-small']

/** Serves all but images. */
function served(request: Recorded, response: ServerResponse): void | Promise<void> {
  const reply = (body: object, status = 200) => json(status, body)(request, response)
  if (request.path === '/v1/models') return reply({ data: models.map((id) => ({ id })) })
  const body = request.json as Record<string, unknown>
  if (request.path === '/v1/embeddings') {
    const data = [0, 1].map((index) => ({ object: 'embedding', index, embedding: [0.1, 0.2] }))
    const usage = { prompt_tokens: 2, total_tokens: 2 }
    return reply({ object: 'list', model: body.model, data, usage })
  }
  const words = JSON.stringify(body.messages)
  if (body.model !== 'm-1') return reply({ error: { message: 'no such model' } }, 404)
  if (words.includes('image_url')) {
    const message = 'This model does not support images. Key upstream-key.'
    return reply({ error: { message, type: 'invalid_request_error' } }, 400)
  }
  if (body.stream === true) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(
      `${chat.role()}${chat.delta('one ')}${chat.delta('two')}${chat.stop()}${chat.usage(9, 3)}${chat.done}`,
    )
    return
  }
  if (body.tools !== undefined && !words.includes('"role":"tool"')) {
    return reply(calling(words.includes('Oslo') ? ['Paris', 'Oslo'] : ['Paris']))
  }
  return reply(chat.whole(body.response_format === undefined ? 'pong' : '{"city":"Paris"}', 9, 3))
}

function calling(cities: readonly string[]) {
  const calls = cities.map((city, at) => ({
    ...{ id: `call_${at}`, type: 'function' },
    function: { name: 'get_weather', arguments: JSON.stringify({ city }) },
  }))
  const message = { role: 'assistant', content: null, tool_calls: calls }
  return { ...chat.whole('', 9, 3), choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }
}

t.test('a full test on the page of a channel', { skip: noBrowser }, async (t) => {
  const upstream = await scriptedUpstream(t)
  const { page, open, picture, gateway } = await openConsole(t)
  const { admin } = gateway
  const own = { type: 1, name: 'Primary', key: 'upstream-key', base_url: upstream.url }
  const id = await admin.channel({ ...own, models: models.join(), group: 'default' })
  const before = await gateway.balance()
  upstream.script(served)
  const dialog = page.locator('[data-test=full-test]')
  const row = (name: string) => dialog.locator(`[data-request="${name}"]`)

  await open(`/channels/${id}/settings`)
  await page.getByRole('button', { name: 'Full test', exact: true }).click()
  await dialog.getByText('Sends 13 real requests to the upstream').waitFor()
  t.equal(upstream.requests.length, 0, 'it says what it costs before it begins')
  t.strictSame(await findings(page), [])
  await picture('channel-full-test-before')

  await dialog.getByRole('button', { name: 'Send them' }).click()
  await dialog.getByText('12 passed, 1 failed, 0 not sent.').waitFor()
  t.match(await row('stream').textContent(), /Passed.*2 pieces/)
  t.match(await row('embeddings').textContent(), /2 vectors of 2/)
  t.match(await row('model list').textContent(), /2 models/)
  t.match(await row('error').textContent(), /Passed.*upstream_error/)
  const failed = await row('image').textContent()
  t.match(failed, /Failed.*does not support images/)
  t.notMatch(failed, /upstream-key/)
  t.match(await row('cancel').textContent(), /Passed.*left after the first bytes/)
  t.strictSame(await findings(page), [])
  await picture('channel-full-test-light')
  await page.setViewportSize({ width: 390, height: 844 })
  t.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false)
  await picture('channel-full-test-phone')
  t.equal(await gateway.balance(), before, 'it costs nobody')
  t.strictSame(await gateway.logs(), [])
  t.strictSame(await admin.must('GET', `/api/channel/${id}/refusals`), [], 'nor does it count')

  await page.setViewportSize({ width: 1280, height: 860 })
  await page.emulateMedia({ colorScheme: 'dark' })
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  upstream.requests.length = 0
  upstream.script(async (request, response) => {
    await held
    return served(request, response)
  })
  await dialog.getByRole('button', { name: 'Send them' }).click()
  await dialog.locator('[data-state=running]').waitFor()
  await picture('channel-full-test-dark')
  await dialog.getByRole('button', { name: 'Stop' }).click()
  await dialog.getByRole('button', { name: 'Send them' }).waitFor()
  letGo()
  await gateway.gateway.idle()
  t.equal(upstream.requests.length, 1, 'nothing more went out')
})

/** The trace of a request, what is recorded of it, the page of a channel, and filters of the log that are picked. */
import t, { type Test } from 'tap'
import { chat, json, scriptedUpstream } from '../kit/upstream.js'
import { findings } from './kit/axe.js'
import { type Console, noBrowser, openConsole } from './kit/browser.js'
import { until } from './kit/guests.js'
import { inTheme, phone, tooWide } from './kit/look.js'

async function looked({ page, picture }: Console, t: Test, name: string): Promise<void> {
  t.strictSame(await findings(page), [])
  await picture(name)
  await inTheme(page, 'dark')
  t.strictSame(await findings(page), [])
  await picture(`${name}-dark`)
  await inTheme(page, 'light')
  await page.setViewportSize(phone)
  t.equal(await tooWide(page), 0)
  t.strictSame(await findings(page), [])
  await picture(`${name}-phone`)
  await page.setViewportSize({ width: 1280, height: 860 })
}

t.test('an admin looks into a request and a channel', { skip: noBrowser }, async (t) => {
  const upstream = await scriptedUpstream(t)
  const console = await openConsole(t)
  const { gateway, page, open } = console
  const { admin, url, key } = gateway
  await admin.option('RetryTimes', 1)
  await admin.option('breaker_setting.enabled', false)
  const shared = { type: 1, key: 'sk-upstream-0123456789-abcdefgh', base_url: upstream.url }
  const models = { models: 'gpt-4o-mini', group: 'default', auto_ban: 0 }
  const tired = await admin.channel({ ...shared, ...models, name: 'Tired', priority: 9 })
  await admin.channel({ ...shared, ...models, name: 'Steady', priority: 1 })
  const script = '<script>window.stolen = 1</script>\u202e\u001b[31m'

  async function request(): Promise<string> {
    upstream.script(
      json(500, { error: { message: 'I am tired' } }, { 'x-request-id': 'upstream-7' }),
      json(200, chat.whole(`Hello ${script}`, 1_200, 340)),
    )
    const response = await fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'gpt-4o-mini',
        temperature: 0.3,
        messages: [{ role: 'user', content: 'Tell me a story' }],
      }),
    })
    await response.text()
    await gateway.gateway.idle()
    await gateway.gateway.service('recordings').flush()
    return response.headers.get('x-request-id') ?? ''
  }

  await t.test('[API-7] recording is switched on for a while, and a bar says so', async (t) => {
    await open('/logs')
    await page.getByTestId('record').click()
    t.strictSame(await findings(page), [])
    await console.picture('record-dialog')
    await page.getByTestId('start').click()
    await page.getByTestId('recording-bar').getByText('All requests are recorded').waitFor()
  })

  const id = await request()
  await t.test('[API-7] a row of the log leads to the trace of its request', async (t) => {
    await open(`/logs?request_id=${id}`)
    await page.locator('.expand-button').first().click()
    await page.getByTestId('to-trace').click()
    await page.waitForURL(`**/logs/${id}`)
    const attempts = page.getByTestId('trace-attempts')
    await attempts.getByText(/I am tired/).waitFor()
    await attempts.getByText('upstream-7').waitFor()
    t.equal(await attempts.getByText(/ending in efgh/).count(), 2)
    t.equal(await page.getByTestId('stages').locator('tbody tr').count(), 12)
    await page.getByTestId('show-recording').click()
    await page.getByText('Response to the client').waitFor()
    const recording = page.getByTestId('recording')
    await recording.getByText('window.stolen').first().waitFor()
    t.match(await recording.innerText(), /\\u\{202e\}\\u001b\[31m/)
    t.equal(await page.evaluate('window.stolen'), undefined)
    await looked(console, t, 'trace')
  })

  await t.test('[API-7] the request is tried again in the Playground', async (t) => {
    await open(`/logs/${id}`)
    await page.getByTestId('try-again').click()
    await page.waitForURL('**/playground')
    await until(async () => {
      const text = String(
        await page.evaluate(
          '[...document.querySelectorAll("textarea")].map((one) => one.value).join()',
        ),
      )
      return text.includes('Tell me a story') && text.includes('0.3')
    })
    await console.picture('trace-playground')
    t.pass('it stands in the settings')
  })

  await t.test('[X12] an unknown request is not found', async (t) => {
    console.expectError(/404/)
    await open('/logs/req_none')
    await page.getByTestId('problem').waitFor()
    t.pass()
  })

  await t.test(
    '[UI-1] the page of a channel shows how it fares, and leads to the log',
    async (t) => {
      await gateway.gateway.service('usage-log').flush()
      await admin.must('PUT', '/api/channel/', { id: tired, priority: 8 })
      await open('/channels')
      await page.getByRole('link', { name: 'Tired' }).click()
      await page.waitForURL(`**/channels/${tired}`)
      await page.getByTestId('tile-requests').waitFor()
      await page.getByTestId('history').getByText('fields: priority').waitFor()
      await page.getByTestId('newest').getByText('No request yet').waitFor()
      await looked(console, t, 'channel-page')
      await page.getByTestId('view-settings').click()
      await page.waitForURL(`**/channels/${tired}/settings`)
      await page.locator('input[name=name]').waitFor()
      await page.goBack()
      await page.waitForURL('**/channels')
    },
  )

  await t.test(
    '[UI-1] the log is filtered by a channel that is picked and an error that is named',
    async (t) => {
      await open('/logs')
      const channel = page.getByTestId('channel')
      await channel.click()
      await channel.locator('input').fill('stead')
      await page.locator('.n-base-select-option').getByText('Steady').click()
      await page.waitForURL(/channel=\d+/)
      await page.locator('tbody tr').first().waitFor()
      await page.reload()
      await page
        .getByTestId('channel')
        .getByText(/Steady · #/)
        .waitFor()
      const model = page.getByTestId('filter-model_name').locator('input')
      await gateway.gateway.service('usage-log').roll()
      await model.fill('gpt-4o')
      await page.waitForURL(/model_name=gpt-4o/)
      t.strictSame(await findings(page), [])
    },
  )

  await t.test('[API-7] a key is recorded from its page, and everybody no longer', async (t) => {
    await page.getByTestId('recording-bar').getByText('Stop recording').click()
    await page.getByTestId('recording-bar').waitFor({ state: 'detached' })
    const { items } = await admin.must('GET', '/api/token/')
    await open(`/tokens/${items[0].id}`)
    await page.getByTestId('start-recording').click()
    await page.getByTestId('stop-recording').waitFor()
    t.strictSame(await findings(page), [])
    await console.picture('token-recording')
    t.match(await admin.must('GET', `/api/token/${items[0].id}`), { record_level: 'bodies' })
  })
})

/** What the Playground states when an answer fails, stops or has to wait. */
import t from 'tap'
import { brokenEvents, chat, events } from '../kit/upstream.js'
import { findings } from './kit/axe.js'
import { noBrowser } from './kit/browser.js'
import { gate, openPlayground } from './kit/playground.js'

t.test('what goes wrong is reported at the answer', { skip: noBrowser }, async (t) => {
  const {
    page,
    gateway,
    upstream,
    say,
    answer: at,
    settled,
    picture,
    expectError,
    open,
  } = await openPlayground(t)
  expectError(/status of (429|503|502|500|400)/)

  await t.test(
    '[ERR-4] a stream that closes without its end mark is an error, and what came is kept',
    async (t) => {
      await page.route('**/pg/chat/completions', (route) =>
        route.fulfill({
          headers: { 'content-type': 'text/event-stream', 'x-request-id': 'req_0123456789' },
          body: chat.delta('Half an ans'),
        }),
      )
      await say('Tell me everything.')
      await at(0)
        .locator('[data-test=failure]')
        .getByText('The stream ended before it was complete')
        .waitFor()
      await at(0).getByText('Half an ans').waitFor()
      await at(0).getByText('req_0123456789').waitFor()
      t.equal(await at(0).getByTestId('to-trace').getAttribute('href'), '/logs/req_0123456789')
      t.equal(await at(0).getAttribute('data-state'), 'failed')
      await page.unroute('**/pg/chat/completions')
    },
  )

  await t.test(
    '[ERR-4] an upstream that breaks off is reported, and what came is kept',
    async (t) => {
      upstream.script(brokenEvents(chat.delta('Once upon'), chat.delta(' a time')))
      await say('A story, please.')
      await at(1).locator('[data-test=failure]').waitFor()
      t.match(await at(1).locator('[data-test=text]').innerText(), 'Once upon a time')
      t.strictSame(await findings(page), [])
    },
  )

  await t.test('[ERR-4] an upstream that ends without the end mark is no end either', async (t) => {
    upstream.script(events(chat.delta('Just a start')))
    await say('And now?')
    await at(2).locator('[data-test=failure]').waitFor()
    t.match(await at(2).locator('[data-test=text]').innerText(), 'Just a start')
    const answers = await page.locator('[data-test=answer][data-state=failed]').count()
    t.equal(answers, 3)
  })

  await t.test('a stopped answer keeps what had come', async (t) => {
    const held = gate()
    upstream.script(events(chat.delta('One, two, three'), held.promise))
    await say('Count.')
    await at(3).getByText('One, two, three').waitFor()
    await at(3).locator('[data-test=stop]').press('Enter')
    await at(3).getByText('this is what had come').waitFor()
    await at(3).locator('[data-test=retry]:focus').waitFor()
    held.open()
    t.match(await at(3).locator('[data-test=text]').innerText(), 'One, two, three')
  })

  await t.test('a question changed while its answer comes ends that one for good', async (t) => {
    const held = gate()
    upstream.script(
      events(
        chat.delta('The old one'),
        held.promise,
        chat.delta(' goes on'),
        chat.stop(),
        chat.done,
      ),
      events(chat.delta('The new one.'), chat.stop(), chat.done),
    )
    await say('First thought.')
    await at(4).getByText('The old one').waitFor()
    const question = page.locator('[data-test=question]').nth(4)
    await question.locator('[data-test=edit]').click()
    await question.locator('textarea').press('Escape')
    await question.locator('[data-test=edit]:focus').press('Enter')
    await question.locator('textarea').fill('Second thought.')
    await question.locator('textarea').press('Enter')
    await at(4).getByText('The new one.').waitFor()
    held.open()
    await settled()
    t.equal(await page.getByText('The old one').count(), 0)
    t.equal(await page.locator('[data-test=turn]').count(), 5)
    t.match((upstream.requests.at(-1)!.json!.messages as object[]).at(-1), {
      content: 'Second thought.',
    })
  })

  await t.test('[LIMIT-8] who asks too often waits as long as the gateway states', async (t) => {
    await page.route('**/pg/chat/completions', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '2', 'x-request-id': 'req_limited' },
        json: {
          error: {
            message: 'Too many requests.',
            type: 'rate_limit_error',
            code: 'rate_limit_exceeded',
            param: '',
          },
        },
      }),
    )
    await say('Again.')
    const retry = at(5).locator('[data-test=retry]')
    await at(5)
      .getByText(/Try again in \d s/)
      .waitFor()
    t.ok(await retry.isDisabled())
    await at(5).getByText('HTTP 429 · rate_limit_exceeded').waitFor()
    await picture('playground-failures-light')
    let requestCount = 0
    page.on('request', (request) => {
      if (request.url().includes('/pg/')) requestCount += 1
    })
    await say('And again.')
    await at(6)
      .getByText(/try again in \d seconds/)
      .waitFor()
    t.equal(requestCount, 0)
    await page.unroute('**/pg/chat/completions')
    upstream.script(events(chat.delta('Here you are.'), chat.stop(), chat.done))
    await retry.getByText('Try again', { exact: true }).click()
    await at(5).getByText('Here you are.').waitFor()
    await settled()
  })

  await t.test('a refusal of the gateway names its reason, and root the way out', async () => {
    await gateway.admin.option('ModelRatio', {})
    await say('Once more.')
    await at(7)
      .locator('[data-test=failure]')
      .getByText(/No price is configured/)
      .waitFor()
    await picture('playground-no-price')
    await at(7).getByRole('link', { name: 'Give the model a price' }).click()
    await page.waitForURL('**/prices')
  })

  await t.test('a model with a price is proposed before those nobody can call', async () => {
    await gateway.admin.option('ModelRatio', { 'gpt-4o-mini': 1 })
    await page.evaluate('localStorage.clear()')
    await open('/playground')
    await page.locator('[data-test=model]').getByText('gpt-4o-mini').waitFor()
  })
})

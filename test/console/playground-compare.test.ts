/** Several models side by side in the Playground, groups, pictures, tools, raw data and bodies by hand. */
import t from 'tap'
import { chat, events, json } from '../kit/upstream.js'
import { findings } from './kit/axe.js'
import { noBrowser } from './kit/browser.js'
import { delta, gate, models, openPlayground } from './kit/playground.js'

const dot = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

t.test(
  'several models answer side by side, with pictures, tools and raw data',
  { skip: noBrowser },
  async (t) => {
    const {
      page,
      upstream,
      say,
      answer: at,
      settled,
      picture,
      gateway,
      expectError,
    } = await openPlayground(t)

    await t.test('each has its own stream, stop and figures', async (t) => {
      const held = gate()
      await page.locator('[data-test=add-model]').click()
      await page.locator('[data-test=add-model]').click()
      upstream.script(async (request, response) => {
        const model = String(request.json!.model)
        const words = chat.delta(`I am ${model}.`)
        const rest = [chat.stop(), chat.usage(5, 9), chat.done]
        const run = model === models[1] ? events(words, held.promise) : events(words, ...rest)
        await run(request, response)
      })
      await say('Who are you?')
      for (const column of [0, 1, 2]) await at(0, column).getByText(/I am /).waitFor()
      await page.locator('[data-state=done]').nth(1).waitFor()
      const running = page.locator('[data-test=answer][data-state=running]')
      t.equal(await running.count(), 1)
      await picture('playground-compare-light')
      await running.locator('[data-test=stop]').click()
      held.open()
      await settled()
      const requests = upstream.requests.map(({ json }) => json!.model).sort()
      t.strictSame(requests, models)
      t.strictSame(await findings(page), [])
      await page
        .getByRole('button', { name: /out of the comparison/ })
        .last()
        .click()
      await page
        .getByRole('button', { name: /out of the comparison/ })
        .last()
        .click()
    })

    await t.test(
      'one that fails leaves the others alone, and is tried again by itself',
      async (t) => {
        expectError(/status of 502/)
        await page.locator('[data-test=add-model]').click()
        const whole = (model: string) => json(200, chat.whole(`Here is ${model}.`, 5, 9))
        await page.locator('[data-test=stream]').click()
        upstream.script(async (request, response) => {
          const model = String(request.json!.model)
          const broken = json(500, { error: { message: 'out of order' } })
          await (model === models[1] ? broken : whole(model))(request, response)
        })
        await say('Are you there?')
        await at(1, 0).getByText(`Here is ${models[0]}.`).waitFor()
        await at(1, 1).locator('[data-test=failure]').waitFor()
        t.equal(await page.locator('[data-test=failure]').count(), 1)
        upstream.script(whole(models[1]))
        await at(1, 1).locator('[data-test=retry]').click()
        await at(1, 1).getByText(`Here is ${models[1]}.`).waitFor()
        t.equal(upstream.requests.filter(({ json }) => json!.model === models[0]).length, 2)
        await page.locator('[data-test=stream]').click()
      },
    )

    await t.test('an answer of a model that is taken out ends with it', async (t) => {
      const held = gate()
      upstream.script(events(chat.delta('I go on'), held.promise))
      await say('Still there?')
      await at(2, 1).getByText('I go on').waitFor()
      const ended = page.waitForEvent('requestfailed')
      await page
        .getByRole('button', { name: /out of the comparison/ })
        .last()
        .click()
      t.match((await ended).postDataJSON(), { model: models[1] })
      t.equal(await page.locator('[data-test=answer][data-state=running]').count(), 1)
      await page.locator('[data-test=stop-all]').click()
      await page.locator('[data-test=message] textarea:focus').waitFor()
      held.open()
      await settled()
    })

    await t.test('[FMT-15] a chosen group goes along, with the models of it', async (t) => {
      await page.locator('[data-test=group]').click()
      await page.getByText('vip · ×2').click()
      await page.getByText('Served first').waitFor()
      upstream.script(events(chat.delta('Very well.'), chat.stop(), chat.usage(5, 1), chat.done))
      await page.locator('[data-test=picker]').setInputFiles([
        { name: 'dot.png', mimeType: 'image/png', buffer: dot },
        { name: 'page.png', mimeType: 'image/png', buffer: Buffer.from('<html>') },
      ])
      await page.getByText('page.png is no JPEG, PNG, WebP or GIF picture.').waitFor()
      await page.getByRole('button', { name: 'Remove dot.png' }).waitFor()
      await picture('playground-picture-light')
      await say('What is this?')
      await at(3).getByText('Very well.').waitFor()
      await settled()
      const url = `data:image/png;base64,${dot.toString('base64')}`
      const { messages } = upstream.requests.at(-1)!.json as { messages: { content: unknown }[] }
      t.match(messages.at(-1)!.content, [
        { type: 'text', text: 'What is this?' },
        { type: 'image_url', image_url: { url } },
      ])
      t.match((await gateway.logs())[0], { group: 'vip' })
    })

    await t.test('tool calls are readable', async () => {
      const call = {
        index: 0,
        id: 'call_1',
        type: 'function',
        function: { name: 'weather', arguments: '{"city":' },
      }
      const rest = { index: 0, function: { arguments: '"Oslo"}' } }
      upstream.script(
        events(
          delta({ tool_calls: [call] }),
          delta({ tool_calls: [rest] }),
          chat.stop('tool_calls'),
          chat.done,
        ),
      )
      await say('Weather in Oslo?')
      await at(4).locator('[data-test=call]').getByText('"city": "Oslo"').waitFor()
      await settled()
      await at(4).getByText('ended by: tool_calls').waitFor()
    })

    await t.test(
      'the raw tabs show the request as sent and each event of the answer',
      async (t) => {
        await at(4).getByRole('button', { name: 'Show what went over the wire' }).click()
        const shown = page.locator('[data-test=events]')
        await shown.getByText('[DONE]').waitFor()
        t.match(await shown.innerText(), /\+\d+\.\d{3}\s+\{.*tool_calls/)
        await picture('playground-response-light')
        t.strictSame(await findings(page), [])
        await page.getByRole('tab', { name: 'Response' }).press('ArrowLeft')
        await page.getByText('As sent', { exact: true }).click()
        const request = page.locator('[data-test=request]')
        t.match(JSON.parse(await request.innerText()), {
          model: models[0],
          group: 'vip',
          stream: true,
        })
        await page.locator('.panel').getByText('curl', { exact: true }).click()
        t.match(await request.innerText(), /curl http:.*\/v1\/chat\/completions/)
        await picture('playground-request-light')
      },
    )

    await t.test('a body written by hand is sent just as it stands', async (t) => {
      await page.locator('[data-test=by-hand]').click()
      const editor = page.locator('textarea[name=body]')
      await editor.fill('{"model": "gpt-4o-mini", "messages": [')
      await page.getByText('The body is no JSON object yet.').waitFor()
      const body = {
        model: 'gpt-4o-mini',
        messages: [{ role: 'user', content: 'By hand.' }],
        top_p: 0.5,
      }
      await editor.fill(JSON.stringify(body))
      upstream.script(json(200, chat.whole('Neat hand.', 5, 2)))
      await picture('playground-by-hand-light')
      await page.locator('[data-test=send-body]').click()
      await at(5).getByText('Neat hand.').waitFor()
      await settled()
      t.match(upstream.requests.at(-1)!.json, body)
      t.strictSame(await findings(page), [])
    })
  },
)

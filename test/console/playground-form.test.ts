/** The Playground's parameters in the real form: every bound and step, what is sent, and what the browser keeps (UI-1). */
import t from 'tap'
import { chat, events, json } from '../kit/upstream.js'
import { noBrowser, signIn } from './kit/browser.js'
import { member, password } from './kit/guests.js'
import { models, openPlayground } from './kit/playground.js'

/** Name, least and greatest value, and what is typed between with what becomes of it. */
const table = [
  [
    'temperature',
    0,
    2,
    '0.1',
    [
      ['0.14', '0.1'],
      ['0.15', '0.2'],
      ['1.96', '2'],
    ],
  ],
  [
    'top_p',
    0,
    1,
    '0.05',
    [
      ['0.07', '0.05'],
      ['0.08', '0.1'],
      ['0.999', '1'],
    ],
  ],
  [
    'frequency_penalty',
    -2,
    2,
    '-1.9',
    [
      ['-0.04', '0'],
      ['1.26', '1.3'],
      ['-1.26', '-1.3'],
    ],
  ],
  [
    'presence_penalty',
    -2,
    2,
    '-1.9',
    [
      ['0.55', '0.6'],
      ['-0.55', '-0.6'],
      ['.3', '0.3'],
    ],
  ],
  [
    'max_tokens',
    1,
    200_000,
    '2',
    [
      ['1.4', '1'],
      ['4096.6', '4097'],
      ['1e3', '1000'],
    ],
  ],
  [
    'seed',
    0,
    2_147_483_647,
    '1',
    [
      ['41.5', '42'],
      ['7', '7'],
      ['2147483646.6', '2147483647'],
    ],
  ],
] as const

t.test('parameters', { skip: noBrowser }, async (t) => {
  const { page, context, gateway, open, upstream, say, answer, settled, picture, expectError } =
    await openPlayground(t)
  const answering = events(chat.delta('Yes.'), chat.stop(), chat.usage(5, 1), chat.done)
  upstream.script(answering)
  const field = (name: string) => page.locator(`[data-test=parameter-${name}]`)
  const input = (name: string) => field(name).locator('input')
  const toggle = (name: string) => field(name).getByRole('switch').click()
  let requestCount = 0

  async function sent(): Promise<Readonly<Record<string, unknown>>> {
    await say('And now?')
    await answer(requestCount).getByText('Yes.').waitFor()
    await settled()
    requestCount += 1
    return upstream.requests.at(-1)!.json!
  }

  const names = table.map(([name]) => name)
  const only = (body: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(body).filter(([name]) => names.some((one) => one === name)))

  await t.test('[UI-1] none is sent that is not switched on', async (t) => {
    t.strictSame(only(await sent()), {})
    for (const name of names) t.ok(await input(name).isDisabled())
  })

  for (const [name, min, max, next, between] of table) {
    await t.test(`[UI-1] ${name} goes from ${min} to ${max} in its steps`, async (t) => {
      await toggle(name)
      const typed = async (text: string) => {
        await input(name).fill(text)
        await input(name).blur()
        return input(name).inputValue()
      }
      t.equal(await typed(String(min - 1)), String(min))
      await input(name).press('ArrowDown')
      t.equal(await input(name).inputValue(), String(min))
      await input(name).press('ArrowUp')
      t.equal(await input(name).inputValue(), next)
      t.equal(await typed(String(max)), String(max))
      await input(name).press('ArrowUp')
      t.equal(await input(name).inputValue(), String(max))
      t.equal(await typed(String(max + 1)), String(max))
      for (const [text, becomes] of between) t.equal(await typed(text), becomes)
      await typed('many')
      await field(name).getByText('This is no number.').waitFor()
      t.equal(await input(name).getAttribute('aria-invalid'), 'true')
      t.equal(await typed(String(min)), String(min))
      t.equal(await field(name).getByText('This is no number.').count(), 0)
      await toggle(name)
    })
  }

  await t.test('[UI-1] each is sent on its own, at its least and at its greatest', async (t) => {
    for (const [name, min] of table) {
      await toggle(name)
      t.strictSame(only(await sent()), { [name]: min })
      await toggle(name)
    }
    for (const name of names) await toggle(name)
    for (const [name, , max] of table) {
      await input(name).fill(String(max))
      await input(name).press('Enter')
    }
    await picture('playground-parameters-light')
    const greatest = Object.fromEntries(table.map(([name, , max]) => [name, max]))
    t.strictSame(only(await sent()), greatest)
  })

  await t.test('[UI-1] a slider goes by the same steps, and no further', async (t) => {
    const below = {
      temperature: '1.9',
      top_p: '0.95',
      frequency_penalty: '1.9',
      presence_penalty: '1.9',
    }
    for (const [name, less] of Object.entries(below)) {
      const slider = field(name).getByRole('slider')
      await slider.focus()
      await slider.press('ArrowLeft')
      t.equal(await input(name).inputValue(), less)
      for (let count = 0; count < 2; count += 1) await slider.press('ArrowRight')
      t.equal(await input(name).inputValue(), await slider.getAttribute('aria-valuemax'), name)
    }
    await field('top_p').getByRole('slider').press('ArrowLeft')
    t.equal(await page.getByRole('slider').count(), 4)
  })

  await t.test('[UI-1] a blank seed is left out', async (t) => {
    await input('seed').fill('')
    await input('seed').blur()
    t.notOk('seed' in (await sent()))
  })

  await t.test('[UI-1] what was set comes back with the next visit', async (t) => {
    await page.locator('[data-test=group]').click()
    await page.getByText('vip · ×2').click()
    await page.locator('textarea[name=system]').fill('Be brief.')
    await page.locator('[data-test=stream]').click()
    await input('max_tokens').fill('300000')
    await page.reload()
    await page.getByText('Served first').waitFor()
    t.equal(await page.locator('textarea[name=system]').inputValue(), 'Be brief.')
    upstream.script(json(200, chat.whole('Yes.', 5, 1)))
    t.equal(await input('top_p').inputValue(), '0.95')
    t.equal(await input('max_tokens').inputValue(), '200000')
    t.equal(await input('seed').inputValue(), '')
    const { seed: _, ...rest } = Object.fromEntries(table.map(([name, , max]) => [name, max]))
    const body = await sent()
    t.strictSame(only(body), { ...rest, top_p: 0.95 })
    t.match(body, { model: models[0], messages: [{ role: 'system', content: 'Be brief.' }] })
    t.notOk(body.stream)
    t.match((await gateway.logs())[0], { group: 'vip' })
  })

  await t.test('[UI-1] what was stored and is broken falls back field by field', async (t) => {
    await page.evaluate(`(() => {
      const place = Object.keys(localStorage).find((key) => key.includes('playground.settings'))
      const kept = JSON.parse(localStorage.getItem(place))
      kept.parameters.temperature = { on: true, value: 'hot' }
      kept.parameters.max_tokens = { on: true, value: 1e9 }
      delete kept.parameters.presence_penalty
      kept.stream = 'perhaps'
      localStorage.setItem(place, JSON.stringify(kept))
    })()`)
    await page.reload()
    await input('temperature').waitFor()
    t.equal(await input('temperature').inputValue(), '1')
    t.equal(await input('max_tokens').inputValue(), '200000')
    t.equal(await input('top_p').inputValue(), '0.95')
    t.ok(await input('presence_penalty').isDisabled())
    // What the page still waits for may write the settings once more.
    await page.waitForLoadState('networkidle')
    await page.evaluate(`(() => {
      const place = Object.keys(localStorage).find((key) => key.includes('playground.settings'))
      localStorage.setItem(place, '{broken')
    })()`)
    await page.reload()
    await input('temperature').waitFor()
    t.ok(await input('temperature').isDisabled())
  })

  await t.test(
    '[UI-1] whoever else signs in here has settings and a conversation of their own',
    async (t) => {
      t.ok((await page.locator('[data-test=turn]').count()) > 0)
      await gateway.admin.credit(await member(gateway, 'ada'), 1_000_000)
      await signIn(context, gateway.url, { username: 'ada', password })
      await open('/playground')
      await page.getByText('Try a model').waitFor()
      t.equal(await page.locator('[data-test=turn]').count(), 0)
      t.equal(await page.locator('[data-test=group]').innerText(), 'As my account is routed')
    },
  )

  await t.test(
    'a group that may not be used any more is reported, and another chosen',
    async (t) => {
      await page.locator('[data-test=group]').click()
      await page.getByText('vip · ×2').click()
      await page.getByText('Served first').waitFor()
      await gateway.admin.option('UserUsableGroups', { default: 'Usual' })
      expectError(/40[03]/)
      await page.reload()
      await page.getByText('This group may not be used any more.').waitFor()
      await picture('playground-group-gone')
      await page.locator('[data-test=group]').click()
      await page.locator('.n-base-select-option').getByText('default · ×1').click()
      await page.locator('[data-test=model]').getByText(models[0]).waitFor()
      upstream.script(answering)
      requestCount = 0
      await sent()
      t.match((await gateway.logs())[0], { group: 'default', username: 'ada' })
    },
  )
})

/** Rate cards in the console: written, tried by the gateway, compared and saved by root, and read by everybody. */
import type { Page } from 'playwright-core'
import t from 'tap'
import { consolePages } from '../../config/built-in.js'
import { taskGateway, taskModel } from '../kit/task-gateway.js'
import { chat, json, scriptedUpstream } from '../kit/upstream.js'
import { findings } from './kit/axe.js'
import { consoleOf, hearComplaints, launch, noBrowser, openConsole } from './kit/browser.js'
import { phone, tooWide } from './kit/look.js'

t.test('root prices media tasks', { skip: noBrowser, timeout: 360_000 }, async (t) => {
  const { gateway, page, context, open, picture, expectError } = await openConsole(t)
  const { admin } = gateway
  await admin.option('GroupRatio', { default: 1, vip: 0.5 })
  await admin.option('UserUsableGroups', { default: 'Everybody', vip: 'Half the price' })
  const channel = { type: 1, key: 'sk-up', base_url: 'http://127.0.0.1:9' }
  const models = 'acme-clip,acme-song,acme-old'
  await admin.channel({ ...channel, name: 'one', group: 'default,vip', models })
  await admin.must('PUT', '/api/prices/', { changes: { 'acme-old': { model_price: 2.5 } } })
  const price = async (model: string) => {
    const { items } = await admin.must('GET', `/api/prices/?keyword=${model}&page_size=100`)
    return items.find((row: { model: string }) => row.model === model)
  }
  const steps = page.getByTestId('steps')

  await t.test(
    'a model without a price gets a card, whose example the gateway computes',
    async (t) => {
      await open('/prices?show=missing')
      const mode = page.getByLabel('How acme-clip is charged')
      await mode.selectOption('card')
      await page.getByTestId('card').waitFor()
      t.equal(await mode.inputValue(), 'none', 'it is charged by no card until there is one')
      await page.getByText('Fill in the card to see what a task would cost.').waitFor()
      t.ok(await page.getByTestId('take-card').isDisabled())
      await page.getByTestId('price-0').fill('0.07')
      await step(page, 'made').getByText('8 seconds').waitFor()
      await charged(page, '$0.56')
      t.equal(await page.getByTestId('card-words').innerText(), '$0.07 per second')
      await picture('rate-card-flat')
      t.strictSame(await findings(page), [])
    },
  )

  await t.test('[BILL-6] each step of the example is shown, in money and in units', async (t) => {
    await page.locator('input[name=minimum]').fill('5')
    await page.locator('input[name=step]').fill('1')
    await page.locator('input[name=quantity]').fill('4.2')
    await step(page, 'made').getByText('4.2 seconds').waitFor()
    await step(page, 'minimum').getByText('5 seconds').first().waitFor()
    await charged(page, '$0.35')
    await steps.getByText('175,000 units of quota').first().waitFor()
    await page.getByTestId('add-resolution').click()
    await page.getByTestId('value-0-0').fill('1080p')
    await page.getByTestId('price-0').fill('0.10')
    await page.getByTestId('add-row').click()
    await page.getByTestId('price-1').fill('0.07')
    t.equal(
      await page.getByTestId('card-words').innerText(),
      '$0.07 per second, 1080p $0.10, at least 5 seconds, in whole seconds',
    )
    await step(page, 'rate').getByText('Row 1: 1080p').waitFor()
    await charged(page, '$0.50')
    await choose(page, 'try-group', 'vip')
    await step(page, 'group').getByText('×0.5').waitFor()
    await charged(page, '$0.25')
    await type(page, 'try-resolution', '720p')
    await step(page, 'rate').getByText('Row 2: otherwise').waitFor()
    await charged(page, '$0.175')
    await picture('rate-card-table')
    t.strictSame(await findings(page), [])
  })

  await t.test(
    '[BILL-6] a value without a row is shown as refused, and a card without reach too',
    async (t) => {
      await page.getByTestId('value-1-0').fill('720p')
      await type(page, 'try-resolution', '4k')
      await page.getByTestId('unpriced').getByText('resolution "4k"').waitFor()
      await picture('rate-card-unpriced')
      t.strictSame(await findings(page), [])
      await page.getByTestId('value-1-0').fill('1080P')
      expectError(/400/)
      await page.getByText('rate 2 of "acme-clip" is never reached').waitFor()
      await picture('rate-card-refused')
      await page.getByTestId('value-1-0').fill('')
      await page.getByTestId('price-1').fill('much')
      await page.getByText('Not a figure').waitFor()
      t.ok(await page.getByTestId('take-card').isDisabled())
      await page.getByTestId('price-1').fill('0.070')
    },
  )

  await t.test('[BILL-7] the card is compared, saved as it is typed, and read back', async (t) => {
    await page.getByTestId('take-card').click()
    await page.getByTestId('card-note').getByText('$0.070 per second, 1080p $0.10').waitFor()
    t.equal((await price('acme-clip'))?.rate_card ?? null, null, 'nothing is saved yet')
    await page.reload()
    await page.getByTestId('drafts').getByText('1 model changed').waitFor()
    await picture('rate-card-draft')
    await page.getByTestId('review-drafts').click()
    const line = page.getByTestId('review').locator('[data-model="acme-clip"] [data-column=card]')
    await line.getByText('$0.070 per second').waitFor()
    await picture('rate-card-review')
    t.strictSame(await findings(page), [])
    await page.getByTestId('save').click()
    await page.getByText('Saved: 1 model.').waitFor()
    t.strictSame((await price('acme-clip')).rate_card, {
      unit: 'second',
      rates: [
        { when: { resolution: '1080p' }, price: '0.10' },
        { when: { resolution: '*' }, price: '0.070' },
      ],
      minimum: '5',
      step: '1',
    })
    t.equal((await price('acme-clip')).mode, 'card')
    await open('/prices?keyword=acme-clip')
    await page.getByRole('button', { name: 'Edit the rate card of acme-clip' }).click()
    t.equal(await page.getByTestId('price-1').inputValue(), '0.070')
    t.equal(await page.getByTestId('value-1-0').inputValue(), '', 'any value is a blank')
    await page.keyboard.press('Escape')
  })

  await t.test(
    '[BILL-6] where a fixed price and a card stand, the editor says which counts',
    async (t) => {
      const card = { unit: 'second', price: '0.01' }
      await admin.must('PUT', '/api/prices/', { changes: { 'acme-old': { rate_card: card } } })
      await open('/prices?keyword=acme-old')
      await page.getByText('A rate card stands behind it').click()
      await page
        .getByTestId('shadowed')
        .getByText('The price per call of $2.5 goes before')
        .waitFor()
      await picture('rate-card-shadowed')
      t.strictSame(await findings(page), [])
      await page.getByRole('button', { name: 'Let the card count' }).click()
      await page.getByTestId('take-card').click()
      await page.getByTestId('review-drafts').click()
      await page.getByTestId('review').getByText('Per call → Rate card').waitFor()
      await page.getByTestId('save').click()
      await page.getByText('Saved: 1 model.').waitFor()
      t.match(await price('acme-old'), { mode: 'card', model_price: null, rate_card: card })
    },
  )

  await t.test('cards are multiplied, and go with a price per tokens', async (t) => {
    await open('/prices?keyword=acme-old')
    await page.getByLabel('Choose acme-old').check()
    await page.getByTestId('multiply').click()
    await page.locator('input[name=factor]').fill('1.5')
    await page.getByRole('button', { name: 'Take over as changes' }).click()
    await page.getByTestId('card-note').getByText('$0.015 per second').waitFor()
    await page.getByLabel('How acme-old is charged').selectOption('ratio')
    await page.getByRole('textbox', { name: 'Input of acme-old', exact: true }).fill('2')
    await page.getByRole('textbox', { name: 'Input of acme-old', exact: true }).blur()
    await page.getByTestId('review-drafts').click()
    await page.getByTestId('save').click()
    await page.getByText('Saved: 1 model.').waitFor()
    t.match(await price('acme-old'), { mode: 'ratio', rate_card: null, model_ratio: 1 })
  })

  await t.test('[BILL-8] cards come in a file, and go out with the list', async (t) => {
    await open('/prices')
    await page.getByTestId('actions').click()
    await page.getByRole('menuitem', { name: 'Import from a file …' }).click()
    await give(page, '{"TaskRateCards":{"acme-song":{"unit":7}}}')
    await page.getByText('what stands for "acme-song" is no rate card').waitFor()
    await give(page, '{"TaskRateCards":{"acme-song":{"unit":"task","price":0.5}}}')
    await page.getByText('Get a price: 1').waitFor()
    await page.getByTestId('take').click()
    await page.getByTestId('save').click()
    await page.getByText('Saved: 1 model.').waitFor()
    t.strictSame((await price('acme-song')).rate_card, { unit: 'task', price: '0.5' })
  })

  await t.test(
    '[BILL-6] the log shows a charge by a card as arithmetic that equals it',
    async (t) => {
      const upstream = await scriptedUpstream(t)
      upstream.script(json(200, chat.whole('La la.', 10, 1)))
      await admin.channel({
        ...channel,
        name: 'songs',
        base_url: upstream.url,
        group: 'default',
        models: 'acme-song',
        priority: 9,
      })
      const { status } = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'acme-song', messages: [{ role: 'user', content: 'x' }] }),
      })
      t.equal(status, 200)
      await gateway.logs()
      await open('/logs')
      await page.getByRole('button', { name: 'More' }).first().press('Enter')
      const bill = page.getByTestId('bill')
      await bill.getByText('Priced by the rate card of acme-song.').waitFor()
      const text = (await bill.innerText()).replace(/\s*\n\s*|\t/g, '')
      t.match(text, /Units billed1 × \$0\.50 each × 1 \(group default\)\$0\.50/)
      await bill.getByText('Equals what was charged, to the unit.').waitFor()
    },
  )

  await t.test('users read what a task costs in every group', async (t) => {
    await open('/models?q=acme')
    const brief = '$0.07 per second, 1080p $0.10, at least 5 seconds, in whole seconds'
    await page.getByText(brief).waitFor()
    await picture('rate-card-pricing')
    t.strictSame(await findings(page), [])
    await page.getByRole('link', { name: 'acme-clip' }).click()
    await page.waitForURL('**/models/acme-clip')
    const row = page.getByRole('row', { name: /1080p/ })
    await row.getByText('$0.10').waitFor()
    t.match(await row.innerText(), /\$0\.05/)
    const rules = await page.getByTestId('card-rules').innerText()
    t.equal(rules, 'Per second. Billed at least 5 seconds. Billed in whole seconds.')
    await picture('rate-card-model')
    t.strictSame(await findings(page), [])
  })

  await t.test('it fits a phone, in the dark and in Chinese', async (t) => {
    const browser = context.browser()!
    const dark = await consoleOf(t, browser, gateway, { theme: 'dark', locale: 'zh-CN' })
    await dark.page.setViewportSize(phone)
    await dark.open('/prices?keyword=acme-clip')
    await dark.page.getByTestId('card-note').waitFor()
    await dark.picture('rate-card-list-phone')
    t.equal(await tooWide(dark.page), 0)
    await dark.page.getByRole('button', { name: '编辑 acme-clip 的价目卡' }).click()
    await dark.page.getByTestId('steps').waitFor()
    await dark.picture('rate-card-phone')
    t.equal(await tooWide(dark.page), 0)
    // Labels that are to be scrolled to count as hidden.
    await dark.page.setViewportSize({ ...phone, height: 2_000 })
    t.strictSame(await findings(dark.page), [])
    await dark.page.setViewportSize(phone)
    await dark.page.getByTestId('charged').scrollIntoViewIfNeeded()
    await dark.picture('rate-card-phone-example')
    await dark.page.keyboard.press('Escape')
    await dark.open('/models?q=acme')
    await dark.page.getByText('1080p').first().waitFor()
    await dark.picture('rate-card-pricing-phone')
    t.equal(await tooWide(dark.page), 0)
    t.strictSame(await findings(dark.page), [])
  })
})

t.test('the editor suggests what serves the model', { skip: noBrowser }, async (t) => {
  hearComplaints(t)
  const gateway = await taskGateway(t, { pages: consolePages })
  const { admin } = gateway
  const browser = await launch()
  t.teardown(() => browser.close())
  const { page, open, picture } = await consoleOf(t, browser, gateway)
  await admin.channel({
    ...{ type: 36, name: 'songs', key: 'k', base_url: 'http://127.0.0.1:9' },
    ...{ models: 'suno_music', group: 'default' },
  })
  await admin.channel({
    ...{ type: 8, name: 'others', key: 'k', base_url: 'http://127.0.0.1:9' },
    ...{ models: 'acme-chat', group: 'default' },
  })
  const units = async () => {
    await page.getByTestId('unit').click()
    const shown = page.locator('.n-base-select-option')
    await shown.first().waitFor()
    return shown.allInnerTexts()
  }
  const edit = async (model: string) => {
    await open('/prices?show=missing')
    await page.getByLabel(`How ${model} is charged`).selectOption('card')
    await page.getByTestId('card').waitFor()
  }

  await t.test('units and dimensions are those of its task type', async (t) => {
    await edit('suno_music')
    await page.getByTestId('add-instrumental').waitFor()
    t.equal(await page.getByTestId('add-resolution').count(), 0)
    await page.getByText('does not count it: Suno').waitFor()
    t.strictSame((await units()).sort(), ['piece', 'second', 'task'])
    await page.locator('.n-base-select-option').getByText('piece', { exact: true }).click()
    await page.getByText('What serves this model counts it: Suno').waitFor()
    await page.getByTestId('add-instrumental').click()
    await page.getByTestId('add-other').click()
    const listed = page.locator('datalist option')
    t.strictSame(await listed.evaluateAll((all) => all.map((one) => one.getAttribute('value'))), [
      'action',
      'mv',
    ])
    await picture('rate-card-suggested')
    t.strictSame(await findings(page), [])
  })

  await t.test('any other name is typed', async (t) => {
    await page.getByTestId('dimension-1').fill('weekday')
    await page.getByTestId('unit').click()
    await page.keyboard.type('verse')
    await page.keyboard.press('Enter')
    await page.getByTestId('price-0').fill('0.1')
    await page.getByTestId('card-words').getByText('$0.1 per verse').waitFor()
    t.notOk(await page.getByTestId('take-card').isDisabled())
  })

  await t.test('where nothing is known to serve it, all are suggested', async (t) => {
    await edit('acme-chat')
    await page.getByTestId('add-resolution').waitFor()
    t.ok((await units()).includes('token'))
  })

  await t.test('words of a plugin from outside are those it ships', async (t) => {
    const chinese = await consoleOf(t, browser, gateway, { locale: 'zh-CN' })
    await chinese.open(`/prices?keyword=${taskModel}`)
    await chinese.page.getByRole('button', { name: `编辑 ${taskModel} 的价目卡` }).click()
    await chinese.page.getByTestId('add-weather').getByText('天气').waitFor()
    await chinese.page.getByTestId('unit').click()
    await chinese.page.locator('.n-base-select-option').getByText('帧').waitFor()
    t.strictSame(await findings(chinese.page), [])
    await chinese.picture('rate-card-suggested-zh')
  })
})

function step(page: Page, key: string) {
  return page.getByTestId('steps').locator(`[data-step=${key}]`)
}

async function charged(page: Page, amount: string): Promise<void> {
  await page.getByTestId('charged').getByText(amount, { exact: true }).waitFor()
}

async function choose(page: Page, field: string, option: string): Promise<void> {
  await page.getByTestId(field).click()
  await page.locator('.n-base-select-option').getByText(option, { exact: true }).click()
}

/** A value the list does not offer. */
async function type(page: Page, field: string, text: string): Promise<void> {
  await page.getByTestId(field).click()
  await page.keyboard.type(text)
  await page.keyboard.press('Enter')
}

function give(page: Page, text: string): Promise<void> {
  const file = { name: 'prices.json', mimeType: 'application/json', buffer: Buffer.from(text) }
  return page.getByTestId('import').locator('input[type=file]').setInputFiles(file)
}

/** The price list in the console: figures typed over, compared and saved, missing ones found, lists taken in and out. */
import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import t from 'tap'
import { findings } from './kit/axe.js'
import { consoleOf, noBrowser, openConsole } from './kit/browser.js'
import { phone, tooWide } from './kit/look.js'

t.test('root edits prices', { skip: noBrowser, timeout: 240_000 }, async (t) => {
  const { gateway, page, context, open, picture, expectError } = await openConsole(t)
  const { admin } = gateway
  const price = async (model: string) => {
    const { items } = await admin.must('GET', `/api/prices/?keyword=${model}&page_size=100`)
    return items.find((row: { model: string }) => row.model === model)
  }
  const channel = { type: 1, key: 'sk-up', base_url: 'http://127.0.0.1:9' }
  const models = 'gpt-4o,gpt-4o-mini,acme-large,acme-small,acme-embed'
  await admin.channel({ ...channel, name: 'one', group: 'default', models })

  await t.test('the sheet shows prices of a million tokens, and ratios', async (t) => {
    await open('/prices?keyword=gpt-4o')
    await cell(page, 'Output of gpt-4o').waitFor()
    t.equal(await cell(page, 'Input of gpt-4o').inputValue(), '2.5')
    t.equal(await cell(page, 'Output of gpt-4o').inputValue(), '10')
    // Audio that is not priced goes out at the factor of the text, over what it costs on the way in.
    const usual = await cell(page, 'Audio out of gpt-4o').getAttribute('placeholder')
    t.equal(usual, '10')
    await picture('prices-light')
    await page.getByText('Ratios', { exact: true }).click()
    t.equal(await cell(page, 'Input of gpt-4o').inputValue(), '1.25')
    t.equal(await cell(page, 'Output of gpt-4o').inputValue(), '4')
    await picture('prices-ratios')
    await page.getByText('$ prices').click()
  })

  await t.test('[BILL-7] a price is stored as it is typed, and the others stay', async (t) => {
    await type(page, 'Input of gpt-4o', '3')
    t.equal(await cell(page, 'Output of gpt-4o').inputValue(), '10')
    await type(page, 'Output of gpt-4o', '1.1')
    t.equal(await cell(page, 'Output of gpt-4o').inputValue(), '1.1')
    await type(page, 'Output of gpt-4o-mini', 'much')
    await page.getByText('Not a figure').waitFor()
    const wrong = cell(page, 'Output of gpt-4o-mini')
    const text = await wrong.getAttribute('aria-describedby')
    t.equal(await page.locator(`[id="${text}"]`).innerText(), 'Not a figure')
    t.ok(await page.getByTestId('review-drafts').isDisabled())
    await picture('prices-fault')
    await type(page, 'Output of gpt-4o-mini', '0.7')
    t.equal((await price('gpt-4o')).model_ratio, 1.25, 'nothing is saved yet')
  })

  await t.test('changes outlive paging and a reload', async (t) => {
    await open('/prices?page=2')
    await page.getByTestId('drafts').getByText('2 models changed').waitFor()
    await page.reload()
    await page.getByTestId('drafts').getByText('2 models changed').waitFor()
    await open('/prices?keyword=no-such-model')
    await page.getByRole('button', { name: 'Show them' }).click()
    await cell(page, 'Input of gpt-4o').waitFor()
    t.equal(await page.getByRole('textbox', { name: 'Name of the model' }).inputValue(), '')
    t.equal(await cell(page, 'Output of gpt-4o').inputValue(), '1.1')
    await picture('prices-changed')
    t.strictSame(await findings(page), [])
  })

  await t.test('what changes is shown before it is saved, all at once', async (t) => {
    await page.getByTestId('review-drafts').click()
    const review = page.getByTestId('review')
    const line = review.locator('[data-model="gpt-4o"] [data-column=input]')
    await line.getByText('$2.5').waitFor()
    await line.getByText('+20%').waitFor()
    await review.locator('[data-model="gpt-4o"] [data-column=output]').getByText('-89%').waitFor()
    await picture('prices-review')
    await page.getByTestId('save').click()
    await page.getByText('Saved: 2 models.').waitFor()
    await page.getByRole('region', { name: 'Price list' }).and(page.locator(':focus')).waitFor()
    const saved = await price('gpt-4o')
    t.equal(saved.model_ratio, 1.5)
    t.equal(saved.completion_ratio, 0.366666666667)
    t.equal(saved.cache_ratio, 0.416666666667, 'the price of a cache read stays 1.25')
    t.equal((await price('gpt-4o-mini')).completion_ratio, 4.666666666667)
    await open('/prices?keyword=gpt-4o')
    await cell(page, 'Output of gpt-4o').waitFor()
    t.equal(await cell(page, 'Output of gpt-4o').inputValue(), '1.1')
    t.equal(await cell(page, 'Cache read of gpt-4o').inputValue(), '1.25')
  })

  await t.test('what somebody else changed meanwhile is compared before it is saved', async (t) => {
    await type(page, 'Output of gpt-4o', '12')
    await page.getByTestId('review-drafts').click()
    const output = page.getByTestId('review').locator('[data-model="gpt-4o"] [data-column=output]')
    await output.getByText('$1.1', { exact: true }).waitFor()
    const other = { 'gpt-4o': { completion_ratio: 2, image_ratio: 3 } }
    await admin.must('PUT', '/api/prices/', { changes: other })
    expectError(/409/)
    await page.getByTestId('save').click()
    await page.getByText('Somebody else changed some of these prices').waitFor()
    await output.getByText('$6', { exact: true }).waitFor()
    await picture('prices-meanwhile')
    t.equal((await price('gpt-4o')).completion_ratio, 2, 'nothing was saved over it')
    await page.getByTestId('save').click()
    await page.getByText('Saved: 1 model.').waitFor()
    t.match(await price('gpt-4o'), { completion_ratio: 4, image_ratio: 3, model_ratio: 1.5 })
  })

  await t.test('models without a price are found, and several get one', async (t) => {
    await admin.must('PUT', '/api/prices/', { changes: { 'acme-large': { cache_ratio: 0.5 } } })
    await page.reload()
    await page.getByTestId('show-missing').click()
    await page.getByLabel('Name of the model').fill('')
    await page.getByRole('button', { name: 'Take away the price of acme-large' }).waitFor()
    for (const name of ['acme-large', 'acme-small']) await page.getByLabel(`Choose ${name}`).check()
    await picture('prices-missing')
    await page.getByTestId('set-prices').click()
    await page.locator('input[name=input]').fill('0.3')
    await page.locator('input[name=output]').fill('1.1')
    await picture('prices-set')
    t.strictSame(await findings(page), [])
    await page.getByTestId('draft').click()
    t.equal(await cell(page, 'Output of acme-small').inputValue(), '1.1')
    await page.getByLabel('How acme-embed is charged').selectOption('price')
    t.ok(await page.getByTestId('review-drafts').isDisabled(), 'a price per call is requested')
    await type(page, 'Call of acme-embed', '0.002')
    await saveAll(page, 3)
    t.match(await price('acme-large'), {
      model_ratio: 0.15,
      completion_ratio: 3.666666666667,
      cache_ratio: 0.5,
    })
    t.match(await price('acme-embed'), { mode: 'price', model_price: 0.002, model_ratio: null })
    await page.getByText('Every model that is served has a price').waitFor()
    await picture('prices-none-missing')
  })

  await t.test('all that are found are multiplied, pasted over, or lose their price', async (t) => {
    await open('/prices?keyword=acme')
    await page.getByLabel('Choose acme-large').check()
    await page.getByTestId('choose-all').click()
    await page.getByText('3 chosen').waitFor()
    await page.getByTestId('multiply').click()
    await page.locator('input[name=factor]').fill('1.1')
    await picture('prices-multiply')
    await page.getByRole('button', { name: 'Take over as changes' }).click()
    t.equal(await cell(page, 'Input of acme-large').inputValue(), '0.33')
    t.equal(await cell(page, 'Output of acme-large').inputValue(), '1.21')
    t.equal(await cell(page, 'Call of acme-embed').inputValue(), '0.0022')
    await cell(page, 'Input of acme-large').focus()
    await page.evaluate("navigator.clipboard.writeText('1\\t2\\n3\\t4')")
    await page.keyboard.press('Control+v')
    t.equal(await cell(page, 'Output of acme-large').inputValue(), '2')
    t.equal(await cell(page, 'Output of acme-small').inputValue(), '4')
    await page.keyboard.press('ArrowDown')
    const focused = await page.evaluate('document.activeElement.getAttribute("aria-label")')
    t.equal(focused, 'Input of acme-small')
    await page.getByLabel('Take away the price of acme-embed').click()
    await saveAll(page, 3)
    t.match(await price('acme-small'), { model_ratio: 1.5, completion_ratio: 1.333333333333 })
    t.equal(await price('acme-embed'), undefined)
  })

  await t.test('[BILL-8] a file is checked as the gateway checks, then compared', async (t) => {
    await action(page, 'Export to a file', async () => {
      const download = await page.waitForEvent('download')
      const whole = JSON.parse(await readFile(await download.path(), 'utf8'))
      t.equal(whole.ModelRatio['acme-small'], 1.5)
      t.same(whole.FreeModels, [])
    })
    await action(page, 'Import from a file …')
    await give(page, '{"ModelRatio":{"a":1,"a":2}}')
    await page.getByText('"a" stands there twice.').waitFor()
    await give(page, '{"ModelRatio":{"acme-small":-1}}')
    await page.getByText('ModelRatio: the figure of "acme-small"').waitFor()
    await give(
      page,
      '{"ModelRatio":{"acme-small":3,"acme-new":0.5},"CompletionRatio":{"acme-new":2}}',
    )
    await page.getByText('Get a price: 1').waitFor()
    await page.getByText('Change: 1', { exact: true }).waitFor()
    await picture('prices-import')
    t.strictSame(await findings(page), [])
    await page.getByTestId('take').click()
    const review = page.getByTestId('review')
    await review.locator('[data-model="acme-small"] [data-column=output]').getByText('$8').waitFor()
    await page.getByTestId('save').click()
    await page.getByText('Saved: 2 models.').waitFor()
    t.match(await price('acme-new'), { model_ratio: 0.5, completion_ratio: 2 })
  })

  await t.test('a refusal names what is wrong, and nothing is lost', async (t) => {
    await open('/prices?keyword=acme')
    await type(page, 'Output of acme-new', '7')
    await context.route('**/api/prices/', (route) =>
      route.request().method() === 'PUT'
        ? route.fulfill({
            status: 400,
            json: { success: false, message: 'ModelRatio must hold a number for "acme-new".' },
          })
        : route.continue(),
    )
    expectError(/400/)
    await page.getByTestId('review-drafts').click()
    await page.getByTestId('save').click()
    await page.getByText('ModelRatio must hold a number for "acme-new".').waitFor()
    await picture('prices-refused')
    await context.unroute('**/api/prices/')
    await page.getByRole('button', { name: 'Back to the list' }).click()
    t.equal(await cell(page, 'Output of acme-new').inputValue(), '7')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
    await page.getByTestId('drafts').waitFor({ state: 'detached' })
  })

  await t.test('the built-in ratios come back once that is stated twice', async (t) => {
    await action(page, 'Back to the built-in ratios …')
    await picture('prices-reset')
    await page.getByRole('button', { name: 'Replace all ratios' }).click()
    await page.getByText('The built-in ratios are in force.').waitFor()
    t.equal((await price('gpt-4o')).model_ratio, 1.25)
  })

  await t.test('a list of thousands is compared and saved as one', async (t) => {
    const count = 3_000
    const names = Array.from({ length: count }, (_, at) => `bulk-${at}`)
    const all = (value: number) => Object.fromEntries(names.map((name) => [name, value]))
    await open('/prices')
    await action(page, 'Import from a file …')
    const file = { ModelRatio: all(1), CompletionRatio: all(4), CacheRatio: all(0.1) }
    await give(page, JSON.stringify(file))
    await page.getByText('Get a price: 3,000').waitFor()
    await page.getByTestId('take').click()
    await page.getByTestId('review').getByText('Models that change: 3,000.').waitFor()
    await picture('prices-thousands')
    t.equal(await page.getByTestId('review').locator('tbody').count(), 50)
    await page.getByRole('button', { name: 'Back to the list' }).click()
    await page.reload()
    await page.getByTestId('drafts').getByText('3,000 models changed').waitFor()
    await page.getByTestId('show-changed').click()
    await type(page, 'Input of bulk-0', '5')
    await saveAll(page, count)
    t.match(await price('bulk-0'), { model_ratio: 2.5, completion_ratio: 1.6, cache_ratio: 0.04 })
    t.match(await price('bulk-2999'), { model_ratio: 1, completion_ratio: 4, cache_ratio: 0.1 })
  })

  await t.test('it is compared in the dark, in Chinese, and fits a phone', async (t) => {
    const browser = context.browser()!
    const dark = await consoleOf(t, browser, gateway, { theme: 'dark', locale: 'zh-CN' })
    await dark.open('/prices?keyword=gpt')
    await dark.page.locator('[data-cell="0.0"]').fill('9')
    await dark.page.locator('[data-cell="0.0"]').blur()
    await dark.page.getByTestId('review-drafts').click()
    await dark.page.getByTestId('review').locator('table').waitFor()
    await dark.picture('prices-dark')
    t.strictSame(await findings(dark.page), [])
    await dark.page.setViewportSize(phone)
    await dark.picture('prices-review-phone')
    t.equal(await tooWide(dark.page), 0)
    await dark.page.keyboard.press('Escape')
    await dark.picture('prices-phone')
    t.equal(await tooWide(dark.page), 0)
  })
})

function cell(page: Page, name: string) {
  return page.getByRole('textbox', { name, exact: true })
}

async function type(page: Page, name: string, text: string): Promise<void> {
  await cell(page, name).fill(text)
  await cell(page, name).blur()
}

async function saveAll(page: Page, count: number): Promise<void> {
  await page.getByTestId('review-drafts').click()
  await page.getByTestId('save').click()
  await page.getByText(`Saved: ${count.toLocaleString('en')} models.`).waitFor()
}

async function action(page: Page, name: string, meanwhile?: () => Promise<void>): Promise<void> {
  await page.getByTestId('actions').click()
  const done = meanwhile?.()
  await page.getByRole('menuitem', { name }).click()
  await done
}

function give(page: Page, text: string): Promise<void> {
  const file = { name: 'prices.json', mimeType: 'application/json', buffer: Buffer.from(text) }
  return page.getByTestId('import').locator('input[type=file]').setInputFiles(file)
}

/** Models, vendors and prefill lists in the console: described, found missing, filled in from lists, deleted. */
import type { Page } from 'playwright-core'
import t from 'tap'
import { findings } from './kit/axe.js'
import { consoleOf, noBrowser, openConsole } from './kit/browser.js'
import { phone, tooWide } from './kit/look.js'

t.test('an admin describes models', { skip: noBrowser, timeout: 240_000 }, async (t) => {
  const { gateway, page, context, open, picture, expectError } = await openConsole(t)
  const { admin } = gateway
  const channel = { type: 1, key: 'sk-up', base_url: 'http://127.0.0.1:9', group: 'default' }
  const models = 'gpt-4o,gpt-4o-mini,gpt-4o-2024-08-06,claude-sonnet-4-5,text-embedding-3-small'
  await admin.channel({ ...channel, name: 'OpenAI · main account', models })
  const entries = async () => (await admin.must('GET', '/api/models/?page_size=100')).items
  const entry = async (name: string) =>
    (await entries()).find((row: { model_name: string }) => row.model_name === name)
  const vendors = async () => (await admin.must('GET', '/api/vendors/?page_size=100')).items
  const lists = () => admin.must('GET', '/api/prefill_group/')

  await t.test('a vendor is made', async (t) => {
    await open('/vendors')
    await page.getByText('No vendor yet').waitFor()
    await picture('vendors-empty')
    await page.getByTestId('new').click()
    await page.getByTestId('save').click()
    await page.getByText('A vendor needs a name.').waitFor()
    await page.locator('input[name=name]').fill('OpenAI')
    await page.locator('textarea[name=description]').fill('GPT, o and embedding models')
    await picture('vendor-new')
    await page.getByTestId('save').click()
    await row(page, 'OpenAI').waitFor()
    t.match(await vendors(), [{ name: 'OpenAI', status: 1 }])
    expectError(/409/)
    await page.getByTestId('new').click()
    await page.locator('input[name=name]').fill('OpenAI')
    await page.getByTestId('save').click()
    await page.getByText('There is a vendor of this name.').waitFor()
    t.equal(await page.locator('input[name=name]').inputValue(), 'OpenAI')
    await page.locator('input[name=name]:focus').waitFor()
    await page.keyboard.press('Escape')
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await question.getByRole('button', { name: 'Leave without saving' }).click()
    await page.locator('[data-test=new]:focus').waitFor()
    await admin.must('POST', '/api/vendors/', { name: 'Anthropic', description: 'Claude' })
  })

  await t.test('lists are kept to fill forms from', async (t) => {
    await open('/prefill-lists')
    await page.getByTestId('lists-tag').getByText('No list yet').waitFor()
    await page.getByRole('button', { name: 'New list: Tags' }).click()
    await page.locator('input[name=name]').fill('Capabilities')
    await page.locator('textarea[name=items]').fill('vision\ntools, json mode\nvision')
    await picture('prefill-new')
    t.strictSame(await findings(page), [])
    await page.getByTestId('save').click()
    await page.locator('[data-list=Capabilities]').getByText('3 entries').waitFor()
    await page.getByRole('button', { name: 'New list: Endpoints' }).click()
    await page.locator('input[name=name]').fill('Own addresses')
    await page.locator('textarea[name=items]').fill('{"openai": ')
    await page.getByTestId('save').click()
    await page.getByText('This begins like JSON, and is none yet.').waitFor()
    await page.locator('textarea[name=items]').fill(' , ,\n')
    await page.getByTestId('save').click()
    await page.getByText('A list needs at least one entry.').waitFor()
    await page.locator('textarea[name=items]').fill('{"openai": "/v1/chat/completions"}')
    await page.getByTestId('save').click()
    await page.locator('[data-list="Own addresses"]').getByText('1 entry').waitFor()
    t.match(await lists(), [
      { type: 'endpoint', items: { openai: '/v1/chat/completions' } },
      { type: 'tag', items: ['vision', 'tools', 'json mode'] },
    ])
    await admin.must('POST', '/api/prefill_group/', {
      name: 'Everyday models',
      type: 'model',
      items: models.split(','),
      description: 'What most channels serve',
    })
    await page.reload()
    await page.locator('[data-list="Everyday models"]').waitFor()
    await picture('prefill-light')
    await page.getByRole('button', { name: 'Delete Own addresses' }).click()
    await confirm(page)
    await page.locator('[data-list="Own addresses"]').waitFor({ state: 'detached' })
    t.equal((await lists()).length, 2)
  })

  await t.test('an entry speaks for all names of a kind, filled in from lists', async (t) => {
    await open('/model-entries')
    await page.getByText('No entry yet').waitFor()
    await picture('models-empty')
    await page.getByTestId('new').click()
    await page.locator('input[name=model_name]').fill('gpt-4o')
    await choose(page, page.getByLabel('Speaks for'), 'begins with')
    await page.getByText('Every model whose name begins like this').waitFor()
    await choose(page, page.getByLabel('Vendor').last(), 'OpenAI')
    await page.locator('textarea[name=description]').fill('Fast, sees pictures, calls tools.')
    await page.getByRole('button', { name: 'Fill from a list' }).click()
    await page.getByRole('menuitem', { name: 'Capabilities' }).click()
    const tags = page.locator('input[name=tags]')
    t.equal(await tags.inputValue(), 'vision, tools, json mode')
    await tags.fill('vision, tools, json mode,cheap , vision')
    await choose(page, page.getByRole('combobox', { name: 'Called for' }), 'openai-response')
    await page.keyboard.press('Escape')
    await picture('model-new')
    await page.getByTestId('save').click()
    await row(page, 'gpt-4o').getByText('begins with').waitFor()
    t.match(await entry('gpt-4o'), {
      name_rule: 1,
      tags: 'vision,tools,json mode,cheap',
      endpoints: '["openai-response"]',
      status: 1,
      matched_count: 3,
    })
  })

  await t.test('what the server refuses stands at its field', async (t) => {
    expectError(/400/)
    await page.getByRole('button', { name: 'Edit gpt-4o' }).click()
    await page.getByText('OpenAI · main account').waitFor()
    await page.getByRole('switch', { name: 'Addresses of its own' }).click()
    await page.locator('textarea[name=endpoints]').fill('{"openai": "no path"}')
    await page.getByTestId('save').click()
    await page.getByText('needs a path that begins with /').waitFor()
    await picture('model-refused')
    await page.locator('textarea[name=endpoints]').fill('{"openai": "/own/chat"}')
    await page.getByTestId('save').click()
    await page.getByTestId('model-form').waitFor({ state: 'detached' })
    t.equal((await entry('gpt-4o')).endpoints, '{"openai":"/own/chat"}')
  })

  await t.test('an edit leaves alone what somebody else changed meanwhile', async (t) => {
    const { id } = await entry('gpt-4o')
    await page.getByRole('button', { name: 'Edit gpt-4o' }).click()
    await page.locator('textarea[name=description]').fill('Fast, and sees pictures.')
    await admin.must('PUT', '/api/models/', { id, tags: 'told,by,another', vendor_id: 0 })
    await page.getByTestId('save').click()
    await page.getByTestId('model-form').waitFor({ state: 'detached' })
    t.match(await entry('gpt-4o'), {
      description: 'Fast, and sees pictures.',
      tags: 'told,by,another',
      vendor_id: 0,
    })
    const openai = (await vendors()).find((one: { name: string }) => one.name === 'OpenAI')
    await admin.must('PUT', '/api/models/', { id, vendor_id: openai.id })
  })

  await t.test('served models without an entry are found, and get one by one click', async (t) => {
    await page.getByTestId('missing').getByText('2 served models have no entry.').waitFor()
    await page.getByRole('button', { name: 'Show them' }).click()
    await page.getByRole('button', { name: 'Make an entry for text-embedding-3-small' }).click()
    const dialog = page.getByTestId('missing-dialog')
    await dialog.getByText('text-embedding-3-small').waitFor({ state: 'detached' })
    t.match(await entry('text-embedding-3-small'), { name_rule: 0, vendor_id: 0 })
    await choose(page, dialog.locator('.vendor'), 'Anthropic')
    await page.getByRole('button', { name: 'Choose all' }).click()
    await picture('models-missing')
    t.strictSame(await findings(page), [])
    await page.getByTestId('make-chosen').click()
    await page.getByText('Every served model has an entry.').waitFor()
    const made = await entry('claude-sonnet-4-5')
    const maker = (await vendors()).find((one: { name: string }) => one.name === 'Anthropic')
    t.equal(made.vendor_id, maker.id)
    await dialog.getByRole('button', { name: 'Close' }).click()
  })

  await t.test('entries are searched, filtered by vendor, and switched off', async (t) => {
    await choose(page, page.getByTestId('filter-vendor'), 'OpenAI (1)')
    await row(page, 'claude-sonnet-4-5').waitFor({ state: 'detached' })
    await row(page, 'gpt-4o').waitFor()
    await open('/model-entries?keyword=sonnet')
    await page.getByRole('switch', { name: 'Switch of claude-sonnet-4-5' }).click()
    await page.locator('[role=switch][aria-checked=false]').waitFor()
    t.equal((await entry('claude-sonnet-4-5')).status, 0)
    await open('/model-entries')
    await row(page, 'gpt-4o').waitFor()
    await picture('models-light')
    await page.getByRole('button', { name: 'Delete text-embedding-3-small' }).click()
    await confirm(page)
    await row(page, 'text-embedding-3-small').waitFor({ state: 'detached' })
    t.equal(await entry('text-embedding-3-small'), undefined)
  })

  await t.test('[API-5] a vendor some model names stays, and the reason is reported', async (t) => {
    await page.getByRole('link', { name: 'Vendors' }).click()
    await row(page, 'OpenAI').waitFor()
    await picture('vendors-light')
    await page.getByRole('button', { name: 'Delete OpenAI' }).click()
    await confirm(page)
    await page.getByText('The vendor "OpenAI" cannot be deleted: 1 model names it.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    t.equal((await vendors()).length, 2)
  })

  await t.test('of many vendors each is found by its name', async () => {
    const makers = Array.from({ length: 55 }, (_, at) => `Maker ${at}`)
    await Promise.all(makers.map((name) => admin.must('POST', '/api/vendors/', { name })))
    await open('/model-entries')
    await page.getByRole('button', { name: 'Edit gpt-4o' }).click()
    const picker = page.getByTestId('model-form').getByLabel('Vendor').last()
    await page.getByTestId('model-form').getByText('OpenAI', { exact: true }).waitFor()
    await picker.click()
    await page.keyboard.type('anthropic')
    await page.locator('.n-base-select-option:visible').getByText('Anthropic').click()
    await page.getByTestId('save').click()
    await row(page, 'gpt-4o').getByText('Anthropic').waitFor()
  })

  await t.test('names as long as they may be fit a phone', async (t) => {
    const small = await consoleOf(t, context.browser()!, gateway, { viewport: phone })
    const model_name = `${'模型-'.repeat(40)}${'x'.repeat(90)}`
    await admin.must('POST', '/api/models/', { model_name, tags: 'y'.repeat(200) })
    await admin.must('POST', '/api/vendors/', { name: 'v'.repeat(128) })
    const items = ['z'.repeat(256)]
    await admin.must('POST', '/api/prefill_group/', { name: 'w'.repeat(64), type: 'tag', items })
    for (const path of ['model-entries', 'vendors', 'prefill-lists']) {
      await small.open(`/${path}`)
      await small.page.getByRole('button', { name: /^Edit/ }).first().waitFor()
      await small.picture(`${path.replace('/', '-')}-phone`)
      t.equal(await tooWide(small.page), 0, path)
    }
    await small.page.getByRole('button', { name: 'Edit Capabilities' }).click()
    await small.picture('prefill-form-phone')
    t.equal(await tooWide(small.page), 0)
  })
})

function row(page: Page, name: string) {
  return page.locator('.n-data-table tr').filter({ has: page.getByText(name, { exact: true }) })
}

function confirm(page: Page): Promise<void> {
  return page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click()
}

async function choose(page: Page, select: ReturnType<Page['locator']>, name: string) {
  await select.click()
  await page.locator('.n-base-select-option:visible').getByText(name).first().click()
}

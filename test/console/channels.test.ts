/** Channels in the console: made through the form, changed where they stand, tested. */
import t from 'tap'
import { chat, json, scriptedUpstream } from '../kit/upstream.js'
import { findings } from './kit/axe.js'
import { type Console, noBrowser, openConsole } from './kit/browser.js'

type Page = Console['page']

/** Chooses by its words from the list a control has opened. */
async function choose(page: Page, words: string): Promise<void> {
  await page.locator('.n-base-select-option').getByText(words, { exact: true }).click()
}

/** Pastes a text into a control, as a person would. */
async function paste(page: Page, control: string, text: string): Promise<void> {
  await page.locator(control).click()
  await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
  await page.keyboard.press('Control+V')
}

const working = json(200, chat.whole('Hello.', 9, 2))
const refusing = json(401, {
  error: { message: 'Incorrect API key provided', code: 'invalid_api_key' },
})

t.test('channels, from the first one to many', { skip: noBrowser }, async (t) => {
  const upstream = await scriptedUpstream(t)
  const { page, open, picture, gateway, expectError } = await openConsole(t)
  const { admin } = gateway
  const field = (name: string) => page.locator(`[name=${name}]`)
  const row = (name: string) => page.locator('tbody tr').filter({ hasText: name })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const channelOf = (id: number) => admin.must('GET', `/api/channel/${id}`)

  await t.test('an empty list states what to do, and a fault stands at its field', async (t) => {
    await open('/channels')
    await page.locator('[data-test=empty]').waitFor()
    await page.locator('.n-data-table .n-base-loading').waitFor({ state: 'detached' })
    await picture('channels-empty')
    t.strictSame(await findings(page), [])
    await page.locator('[data-test=empty]').getByRole('button', { name: 'New channel' }).click()
    await page.locator('[data-test=channel-form]').waitFor()
    await button('Create channel').click()
    t.equal(await page.getByText('This has to be filled in.').count(), 3)
    await picture('channels-new-faults')
  })

  await t.test(
    'a form draws the provider’s fields, and a failed save keeps all that was typed',
    async (t) => {
      await page.locator('[data-test=type]').click()
      await page.keyboard.type('openai')
      const best = page.locator('.n-base-select-option--pending')
      await best.getByText('OpenAI', { exact: true }).waitFor()
      await page.keyboard.press('Enter')
      t.equal(await field('name').inputValue(), 'OpenAI', 'a name to begin with')
      const provider = page.locator('[data-test=provider-fields]')
      await provider.getByLabel('Organization', { exact: true }).fill('org-acme')
      await field('name').fill('Primary OpenAI')
      await field('key').fill('sk-one-two-three')
      await field('base_url').fill('ftp://nowhere')
      await paste(page, '[data-test=models]', 'gpt-4o,gpt-4o-mini\no3')
      await field('tag').fill('main')
      await page.keyboard.press('Escape')
      await picture('channels-new-light')
      t.strictSame(await findings(page), [])
      expectError(/400.*\/api\/channel\//)
      await button('Create channel').click()
      await page.getByText('must be an http or https address').waitFor()
      t.equal(await field('base_url').getAttribute('aria-invalid'), 'true', 'at its field')
      t.equal(await field('key').inputValue(), 'sk-one-two-three')
      t.equal(await field('name').inputValue(), 'Primary OpenAI')
      await picture('channels-new-refused')
      await field('base_url').fill(upstream.url)
      await button('Create channel').click()
      await page.waitForURL('**/channels')
      await row('Primary OpenAI').getByText('Not tested yet').waitFor()
      const { items } = await admin.must('GET', '/api/channel/')
      t.match(items, [
        {
          name: 'Primary OpenAI',
          type: 1,
          models: 'gpt-4o,gpt-4o-mini,o3',
          group: 'default',
          base_url: upstream.url,
          tag: 'main',
          auto_ban: 1,
        },
      ])
      t.match(JSON.parse(items[0].settings), { organization: 'org-acme' })
    },
  )

  await t.test('a batch makes a channel of each key, and a lost answer is reported', async (t) => {
    await open('/channels/new')
    await page.locator('[data-test=type]').click()
    await page.keyboard.type('deepseek')
    await choose(page, 'DeepSeek')
    await field('name').fill('Batch')
    await page.getByText('One channel for each key', { exact: true }).click()
    await field('key').fill('sk-batch-number-one\nsk-batch-number-two')
    await page.getByRole('switch', { name: 'Add the beginning of the key' }).click()
    await paste(page, '[data-test=models]', 'deepseek-chat,\n')
    await page.keyboard.press('Escape')
    await page.route('**/api/channel/', (route) => route.abort(), { times: 1 })
    expectError(/ERR_FAILED.*\/api\/channel\//)
    await button('Create channel').click()
    await page.getByText('No answer came').waitFor()
    t.match(await field('key').inputValue(), /two$/, 'all that was typed is still there')
    await button('Create channel').dblclick()
    await page.getByText('2 channels were created.').waitFor()
    const { items } = await admin.must(
      'GET',
      '/api/channel/?keyword=Batch&sort_by=name&sort_order=asc',
    )
    t.match(items, [{ name: 'Batch sk-bat' }, { name: 'Batch sk-bat' }])
    t.equal(items.length, 2, 'a button pressed twice creates once')
    await admin.must('POST', '/api/channel/batch', {
      ids: items.map(({ id }: { id: number }) => id),
    })
  })

  const base = { type: 1, base_url: upstream.url, group: 'default', models: 'gpt-4o-mini' }
  const keys =
    'sk-aaaaaaaaaaaaaaaaaaaaaaaa\nsk-bbbbbbbbbbbbbbbbbbbbbbbb\nsk-cccccccccccccccccccccccc'
  await admin.channel({
    ...base,
    name: 'Backup, Frankfurt',
    key: 'k1',
    priority: -10,
    tag: 'main',
    remark: 'Half the price at night',
  })
  await admin.channel({ ...base, name: 'Old account', key: 'k2', status: 2 })
  await admin.channel({
    mode: 'multi_to_single',
    channel: { ...base, name: 'Key pool', key: keys, models: 'gpt-4o-mini,gpt-4o' },
  })
  await admin.channel({
    ...base,
    type: 14,
    name: 'Claude',
    key: 'k3',
    models: 'claude-sonnet-4-5,claude-haiku-4-5',
  })
  const [{ id: primary }] = (await admin.must('GET', '/api/channel/?keyword=Primary')).items

  await t.test('the table shows how channels fare', async (t) => {
    upstream.script(working)
    for (let count = 0; count < 6; count += 1) {
      await gateway.chat({ model: 'o3', messages: [{ role: 'user', content: 'hi' }] })
    }
    await gateway.logs()
    await open('/channels')
    await row('Primary OpenAI').locator('svg.sparkline').waitFor()
    await row('Old account').getByText('Switched off').first().waitFor()
    await picture('channels-light')
    t.strictSame(await findings(page), [])
  })

  await t.test(
    'priority and weight change where they stand, and a refusal stands there too',
    async (t) => {
      const priority = page.getByLabel('Priority of Primary OpenAI')
      await priority.fill('25')
      await priority.press('Escape')
      t.equal(await priority.inputValue(), '0', 'Escape restores')
      await priority.fill('30')
      const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT')
      await priority.press('Enter')
      await saved
      t.equal((await channelOf(primary)).priority, 30)
      const weight = page.getByLabel('Weight of Primary OpenAI')
      await weight.fill('-1')
      await weight.press('Enter')
      await page.locator('[data-test=cell-fault]').waitFor()
      t.match(await page.locator('[data-test=cell-fault]').textContent(), /weight/)
      t.equal(await weight.inputValue(), '-1', 'what was typed stays')
      await picture('channels-cell-fault')
      await weight.press('Escape')
      t.equal((await channelOf(primary)).weight, 0)
    },
  )

  await t.test('a test shows what came of it, well or not', async (t) => {
    upstream.script(working, refusing)
    await button('Test Primary OpenAI').click()
    const dialog = page.locator('[data-test=test-dialog]')
    const model = (name: string) => dialog.locator(`[data-model="${name}"]`)
    await model('gpt-4o').getByRole('button').click()
    await model('gpt-4o').getByText('Works').waitFor()
    await model('o3').getByRole('button').click()
    await model('o3').getByText('Failed', { exact: true }).waitFor()
    t.match(await model('o3').textContent(), /Incorrect API key/)
    await picture('channels-test')
    t.strictSame(await findings(page), [])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    t.ok((await channelOf(primary)).response_time > 0, 'the gateway holds how long it took')
  })

  await t.test('fields of providers are drawn as their manifests declare them', async (t) => {
    const provider = page.locator('[data-test=provider-fields]')
    const region = { name: 'region', type: 'select', title: 'Region', options: ['eu', 'us'] }
    const fields = [
      { name: 'signing_key', type: 'secret', title: 'Signing key' },
      { ...region, default: 'eu' },
      { name: 'zone', type: 'number', title: 'Zone', when: { field: 'region', is: 'us' } },
      { name: 'betas', type: 'list', title: 'Betas' },
      { name: 'extra', type: 'json', title: 'Extra' },
      { name: 'strict', type: 'boolean', title: 'Strict' },
    ]
    await page.route('**/api/plugins', async (route) => {
      const answer = await route.fetch()
      const body = await answer.json()
      body.data.channel_types = [
        ...body.data.channel_types.filter(({ id }: { id: number }) => id !== 14),
        {
          id: 14,
          name: 'acme',
          title: 'Acme',
          plugin: 'provider.acme',
          baseUrl: 'https://acme.example',
          fields,
        },
      ]
      await route.fulfill({ response: answer, json: body })
    })
    const claude = (await admin.must('GET', '/api/channel/?keyword=Claude')).items[0].id
    await admin.must('PUT', '/api/channel/', { id: claude, settings: { signing_key: 'old' } })
    await open(`/channels/${claude}/settings`)
    const secret = provider.getByLabel('Signing key')
    t.match(await secret.getAttribute('type'), 'password')
    await page.getByText('Settings of Acme').waitFor()
    t.equal(await provider.getByLabel('Zone').count(), 0, 'only with its region')
    await provider.getByLabel('Region').click()
    await choose(page, 'us')
    await provider.getByLabel('Zone').fill('3')
    await provider.getByRole('switch', { name: 'Strict' }).click()
    await provider.getByLabel('Extra').fill('{"depth": 2}')
    await picture('channels-provider-fields')
    t.strictSame(await findings(page), [])
    const sent = page.waitForRequest((request) => request.method() === 'PUT')
    await button('Save').click()
    const { settings } = (await sent).postDataJSON()
    t.match(settings, { region: 'us', zone: 3, strict: true, extra: { depth: 2 } })
    await page.getByText('Saved.').first().waitFor()
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

  await t.test('a channel whose plugin is gone states so', async (t) => {
    await page.route('**/api/plugins', async (route) => {
      const answer = await route.fetch()
      const body = await answer.json()
      body.data.channel_types = body.data.channel_types.filter(({ id }: { id: number }) => id !== 1)
      await route.fulfill({ response: answer, json: body })
    })
    await open(`/channels/${primary}/settings`)
    await page.getByText('No plugin here serves type 1.').waitFor()
    t.equal(await field('name').inputValue(), 'Primary OpenAI')
    await picture('channels-no-plugin')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })
})

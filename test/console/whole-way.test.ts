/**
 * The whole way of an operator, through the pages alone: from a gateway nobody owns to the first answers of a model,
 * with every unit of them accounted for.
 */
import OpenAI from 'openai'
import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { root } from '../kit/management.js'
import { chat, events, json, scriptedUpstream } from '../kit/upstream.js'
import { noBrowser } from './kit/browser.js'
import { openFreshConsole } from './kit/fresh.js'
import { giveIn } from './kit/guests.js'
import { gate } from './kit/playground.js'

const model = 'acme-chat'
const person = { username: 'captain', password: root.password }

t.test('from an empty gateway to the ledger', { skip: noBrowser, timeout: 240_000 }, async (t) => {
  const upstream = await scriptedUpstream(t)
  const { page, context, open, picture, expectError, gateway } = await openFreshConsole(t)
  // Before signing in, and before the step that proves who it is.
  expectError(/status of 40[13]/)
  const { admin } = gateway
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const field = (name: string) => page.locator(`[name=${name}]`)
  const header = page.getByTestId('balance')

  await t.test('the wizard makes root, and root signs in', async () => {
    await open('/')
    await page.waitForURL('**/setup')
    await button('Next').click()
    await field('code').fill(gateway.gateway.service('setup').code() ?? '')
    await field('username').fill(person.username)
    for (const name of ['password', 'confirmPassword']) await field(name).fill(person.password)
    await button('Next').click()
    await button('Set up').click()
    await button('Open the console').click()
    await page.waitForURL('**/dashboard')
    await page.getByTestId('person').click()
    await page.getByText('Sign out', { exact: true }).click()
    await page.waitForURL('**/login')
    await giveIn(page, person.username)
    await page.waitForURL('**/dashboard')
    await page.getByTestId('first-steps').waitFor()
    await picture('way-1-dashboard')
  })

  await t.test('a channel leads to the upstream', async () => {
    await page.getByRole('button', { name: 'Open: Create a channel' }).click()
    await page.getByTestId('type').click()
    await page.keyboard.type('openai')
    await choose(page, 'OpenAI')
    await field('name').fill('Main')
    await field('key').fill('sk-upstream')
    await field('base_url').fill(upstream.url)
    await page.getByTestId('models').click()
    await page.keyboard.type(model)
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await button('Create channel').click()
    await page.waitForURL('**/channels')
    await page.getByRole('row').filter({ hasText: 'Main' }).waitFor()
    await picture('way-2-channels')
  })

  await t.test('its model is found to have no price, and gets one', async () => {
    await menu(page, 'Models')
    await menu(page, 'Prices')
    await page.getByTestId('show-missing').click()
    await type(page, `Input of ${model}`, '100')
    await type(page, `Output of ${model}`, '500')
    await page.getByTestId('review-drafts').click()
    await page.getByTestId('save').click()
    await page.getByText('Saved: 1 model.').waitFor()
    await picture('way-3-prices')
  })

  await t.test('root gets a balance', async () => {
    await menu(page, 'Users')
    await button(`Balance of ${person.username}`).click()
    const dialog = page.getByTestId('balance-dialog')
    await dialog.getByTestId('amount').locator('input').fill('20')
    await page.keyboard.press('Tab')
    await dialog.locator('input[name=remark]').fill('To begin with')
    await dialog.getByRole('button', { name: 'Adjust' }).click()
    const proof = page.getByRole('dialog').filter({ hasText: 'Is it really you?' })
    await proof.locator('input[type=password]').fill(person.password)
    await proof.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText(`The balance of ${person.username} is $20.00 now.`).waitFor()
    await header.getByText('$20.00').waitFor()
  })

  let key = ''
  let address = ''
  await t.test('[ROUTE-5] an API key with an order of groups of its own', async (t) => {
    await menu(page, 'Dashboard')
    await page.getByRole('button', { name: 'Open: Create an API key' }).click()
    await page.getByLabel('Name').fill('first program')
    await page.getByTestId('mode-manual').click()
    const order = page.getByTestId('group-order')
    await order.locator('[data-group=default]').waitFor()
    await page.getByTestId('means').getByText('Requests go to default alone.').waitFor()
    await picture('way-4-token')
    await page.getByTestId('save').click()
    await button('Copy Key').click()
    key = await page.evaluate<string>('navigator.clipboard.readText()')
    t.match(key, /^sk-[A-Za-z0-9]{48}$/)
    await button('Copy Base address').click()
    address = await page.evaluate<string>('navigator.clipboard.readText()')
    await picture('way-5-key')
  })

  await t.test('a copied key works with an SDK as the page states', async (t) => {
    upstream.script(json(200, chat.whole('Aye.', 100, 20)))
    const client = new OpenAI({ baseURL: `${address}/v1`, apiKey: key })
    const messages = [{ role: 'user' as const, content: 'Ready?' }]
    const { choices } = await client.chat.completions.create({ model, messages })
    t.equal(choices[0]?.message.content, 'Aye.')
    t.equal(upstream.requests[0]?.headers.authorization, 'Bearer sk-upstream')
    // 100 at $100 and 20 at $500 a million.
    await header.getByText('$19.98').waitFor()
  })

  await t.test('[UI-1] the Playground shows an answer piece by piece', async (t) => {
    const [second, rest] = [gate(), gate()]
    upstream.script(
      events(
        ...[
          chat.role(),
          chat.delta('The **bowl'),
          second.promise,
          chat.delta('ine** is '),
          rest.promise,
        ],
        ...[chat.delta('tied.'), chat.stop(), chat.usage(200, 80), chat.done],
      ),
    )
    await menu(page, 'Playground')
    await page.getByTestId('model').getByText(model).waitFor()
    await page.getByTestId('message').locator('textarea').fill('Which knot?')
    await page.keyboard.press('Enter')
    const answer = page.getByTestId('answer')
    await answer.getByText('The **bowl').waitFor()
    t.equal(await answer.getAttribute('data-state'), 'running')
    const dashboard = await context.newPage()
    await dashboard.goto('/dashboard')
    await dashboard.getByTestId('tile-balance').getByText('set aside').waitFor()
    await dashboard.close()
    second.open()
    await answer.locator('strong').getByText('bowline').waitFor()
    t.equal(await answer.getAttribute('data-state'), 'running')
    await picture('way-6-streaming')
    rest.open()
    await answer.getByText('The bowline is tied.').waitFor()
    await answer.getByText('200 in · 80 out').waitFor()
    t.equal(await answer.getAttribute('data-state'), 'done')
  })

  await t.test(
    '[BILL-1] the header falls by exactly the charge, which the log spells out',
    async (t) => {
      // 200 at $100 and 80 at $500 a million: six cents more.
      await header.getByText('$19.92').waitFor()
      await menu(page, 'Logs')
      const rows = page.locator('tbody tr').filter({ hasText: model })
      await rows.nth(1).waitFor()
      t.equal(await rows.count(), 2)
      await rows.first().getByText('Playground', { exact: true }).waitFor()
      await rows.nth(1).getByText('first program', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'More' }).first().click()
      const bill = page.getByTestId('bill')
      await bill.getByText('Equals what was charged, to the unit.').waitFor()
      const addends = await bill.getByTestId('addend').allInnerTexts()
      t.match(addends.map(oneLine), [
        'Input 200 × $100.00 / 1M tokens × 1 (group default) $0.02',
        'Output 80 × $500.00 / 1M tokens × 1 (group default) $0.04',
      ])
      t.equal(await bill.getByTestId('charged').innerText(), '$0.06')
      await picture('way-7-log')
    },
  )

  await t.test('[BILL-1] the ledger states the same, and holds nothing any more', async (t) => {
    await gateway.gateway.idle()
    await admin.login(person.username, person.password)
    t.match(await admin.must('GET', '/api/user/self'), {
      quota: 9_960_000,
      held: 0,
      used_quota: 40_000,
      request_count: 2,
    })
    const { items } = await admin.must('GET', '/api/log/?type=2')
    t.match(items, [
      { quota: 30_000, token_name: '', is_stream: true, channel_name: 'Main' },
      { quota: 10_000, token_name: 'first program', group: 'default' },
    ])
    t.strictSame(await gateway.gateway.service('ledger').check(), [])
  })
})

/** Goes there as people do. */
async function menu(page: Page, name: string): Promise<void> {
  await page.getByRole('navigation').getByRole('link', { name, exact: true }).click()
  await page.locator('main h1').first().waitFor()
}

async function choose(page: Page, words: string): Promise<void> {
  await page.locator('.n-base-select-option').getByText(words, { exact: true }).click()
}

async function type(page: Page, name: string, text: string): Promise<void> {
  const cell: Locator = page.getByRole('textbox', { name, exact: true })
  await cell.fill(text)
  await cell.blur()
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

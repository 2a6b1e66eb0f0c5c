/** API keys in the console: made, pointed somewhere, limited, copied, switched and deleted by a person in a browser. */
import { spawn } from 'node:child_process'
import type { Locator, Page } from 'playwright-core'
import t from 'tap'
import { clients } from '../../console/modules/tokens/samples.js'
import { chat, json, scriptedUpstream } from '../kit/upstream.js'
import { findings } from './kit/axe.js'
import { noBrowser, openConsole } from './kit/browser.js'
import { drag } from './kit/drag.js'
import { inTheme, phone, tooWide } from './kit/look.js'

const groups = { default: 1, vip: 0.8, batch: 0.5, slow: 0.4 }
const described = { default: 'For everybody', vip: 'Priority capacity', batch: 'Cheap, off-peak' }

t.test('a person manages API keys', { skip: noBrowser }, async (t) => {
  const upstream = await scriptedUpstream(t)
  upstream.script(json(200, chat.whole('It works.', 9, 12)))
  const { gateway, page, open, picture, expectError } = await openConsole(t)
  const { admin } = gateway
  await admin.option('GroupRatio', groups)
  await admin.option('UserUsableGroups', { ...described, slow: 'Old hardware' })
  await admin.option('ModelRatio', { 'gpt-4o-mini': 0.075, 'claude-haiku': 0.5 })
  await admin.must('POST', '/api/auto_route/', {
    key: 'balanced',
    display_name: 'Balanced',
    groups: ['vip', 'default'],
  })
  const channel = { type: 1, key: 'sk-up', base_url: upstream.url, models: 'gpt-4o-mini' }
  await admin.channel({ ...channel, name: 'one', group: 'batch,vip,default' })
  await admin.must('DELETE', '/api/token/1')
  const tokens = async () => (await admin.must('GET', '/api/token/?page_size=50')).items
  const only = async (name: string) =>
    (await tokens()).find((token: { name: string }) => token.name === name)

  await t.test('without a key the list states what to do next', async (t) => {
    await open('/tokens')
    await page.getByText('No API key yet').waitFor()
    await picture('tokens-empty')
    t.strictSame(await findings(page), [])
    await page.getByTestId('new').click()
    await page.waitForURL('**/tokens/new')
  })

  await t.test(
    '[ROUTE-5] the order of groups is put together by keyboard and saved as it stands',
    async (t) => {
      await page.getByLabel('Name').fill('website')
      await page.getByTestId('mode-manual').click()
      const order = page.getByTestId('group-order')
      await order.waitFor()
      for (const group of ['batch', 'vip']) await addGroup(page, group)
      t.strictSame(await orderOf(order), ['default', 'batch', 'vip'])
      const handle = order.locator('[data-group=vip] [data-test=handle]')
      await handle.focus()
      await page.keyboard.press('ArrowUp')
      await page.keyboard.press('ArrowUp')
      await page.getByText('vip is now at place 1 of 3.').waitFor()
      t.ok(await handle.and(page.locator(':focus')).count(), 'the focus stays')
      await order.getByRole('button', { name: 'Move batch up' }).click()
      t.strictSame(await orderOf(order), ['vip', 'batch', 'default'])
      await drag(order.locator('[data-group]'), 0, 2)
      t.strictSame(await orderOf(order), ['batch', 'default', 'vip'])
      await drag(order.locator('[data-group]'), 2, 0)
      await page.getByTestId('means').getByText('vip → batch → default').waitFor()
      await page.getByTestId('retry').click()
      await page.getByTestId('means').getByText('stay there even when it fails').waitFor()
      await page.getByTestId('unlimited').click()
      await page.getByTestId('quota').locator('input').fill('1.5')
      await page.getByTestId('quota').locator('input').blur()
      await page.getByText('= 750,000 units of quota').waitFor()
      await page.getByTestId('only-models').click()
      await page.getByTestId('models').click()
      await page.locator('.n-base-select-option').getByText('gpt-4o-mini').click()
      await page.keyboard.press('Escape')
      await page.getByRole('button', { name: 'In 30 days' }).click()
      await picture('token-new')
      t.strictSame(await findings(page), [])
    },
  )

  await t.test(
    'what the server refuses stands at its field, and nothing typed is lost',
    async (t) => {
      await page.locator('textarea[name=allow_ips]').fill('10.0.0.0/8\nnowhere')
      expectError(/400/)
      await page.getByTestId('save').click()
      await page.getByText('"nowhere", which is no address or range').waitFor()
      t.equal(await page.getByLabel('Name').inputValue(), 'website')
      t.strictSame(await orderOf(page.getByTestId('group-order')), ['vip', 'batch', 'default'])
      t.equal((await tokens()).length, 0)
      await page.locator('textarea[name=allow_ips]').fill('10.0.0.0/8\n127.0.0.1')
      await page.getByTestId('save').click()
      await page.getByTestId('whole-key').waitFor()
      t.match(await only('website'), {
        remain_quota: 750_000,
        unlimited_quota: false,
        model_limits_enabled: true,
        model_limits: 'gpt-4o-mini',
        allow_ips: '10.0.0.0/8\n127.0.0.1',
        routing_legacy: false,
        routing: {
          version: 1,
          mode: 'manual',
          auto_route: '',
          groups: ['vip', 'batch', 'default'],
          retry_on_failure: false,
        },
      })
    },
  )

  await t.test(
    'the key is shown once more, with code that works against this gateway',
    async (t) => {
      const key = (await page.getByTestId('whole-key').locator('code').innerText()).trim()
      t.match(key, /^sk-[A-Za-z0-9]{48}$/)
      await picture('token-made')
      t.strictSame(await findings(page), [])
      const texts = page.getByTestId('samples').locator('pre code')
      await texts.getByText(`Bearer ${key}`).waitFor()
      const found = new Map<string, readonly string[]>()
      for (const { id, title } of clients) {
        await page.getByRole('tab', { name: title, exact: true }).click()
        await page
          .getByRole('tabpanel')
          .getByText(samplesOf(id)[0] ?? '')
          .waitFor()
        found.set(id, await texts.allInnerTexts())
      }
      t.equal(await addressOf(page), gateway.url)
      const scripts = ['openai', 'anthropic', 'google', 'vercel'].map((id) => found.get(id)?.at(-1))
      const shells = found.get('curl') ?? []
      t.equal(shells.length, 3)
      const results = await Promise.all([
        ...scripts.map((text) => run(process.execPath, ['--input-type=module'], text ?? '')),
        ...shells.map((text) => run('sh', ['-s'], text)),
      ])
      for (const message of results) t.match(message, 'It works.')
    },
  )

  await t.test('[ROUTE-12] an edit sends what was changed and leaves the rest', async (t) => {
    const { id } = await only('website')
    await open(`/tokens/${id}/edit`)
    await page.getByLabel('Name').fill('storefront')
    await page.getByTestId('save').click()
    await page.waitForURL(`**/tokens/${id}`)
    const { remain_quota, routing } = await only('storefront')
    t.ok(remain_quota < 750_000, 'what was spent meanwhile stays spent')
    t.strictSame(routing.groups, ['vip', 'batch', 'default'])
    await open(`/tokens/${id}/edit`)
    await page.getByTestId('mode-smart').click()
    await page.getByTestId('route').click()
    await page.locator('.n-base-select-option').getByText('Balanced').click()
    await page.getByTestId('retry').click()
    await page.getByTestId('means').getByText('vip → default').waitFor()
    await picture('token-smart')
    await page.getByTestId('save').click()
    await page.waitForURL(`**/tokens/${id}`)
    t.match((await only('storefront')).routing, { mode: 'smart', auto_route: 'balanced' })
  })

  await t.test(
    '[ROUTE-9] a key without a policy of its own goes on following the account',
    async (t) => {
      await admin.token({ name: 'notebook' })
      const { id, routing_legacy } = await only('notebook')
      t.equal(routing_legacy, true)
      await open(`/tokens/${id}/edit`)
      await page.getByText('This key has no routing of its own yet').waitFor()
      t.ok(await page.getByTestId('mode-account').locator('input').isChecked())
      await page.getByLabel('Name').fill('old notebook')
      await page.getByTestId('save').click()
      await page.waitForURL(`**/tokens/${id}`)
      t.equal((await only('old notebook')).routing_legacy, true)
    },
  )

  await t.test('the list searches, copies, switches and deletes', async (t) => {
    for (const name of ['mobile app', 'nightly batch', 'retired']) {
      const fields = name === 'retired' ? { expired_time: 1_700_000_000 } : {}
      await admin.token({ name, unlimited_quota: false, remain_quota: 2_500_000, ...fields })
    }
    await open('/tokens')
    await page.getByRole('button', { name: 'Copy key of storefront' }).click()
    await page.getByText('Copied: key of storefront').waitFor()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    t.match(copied, /^sk-[A-Za-z0-9]{48}$/)
    await picture('tokens-light')
    t.strictSame(await findings(page), [])
    await page.getByRole('switch', { name: 'Switch of mobile app' }).click()
    await row(page, 'mobile app').getByText('Off').waitFor()
    t.equal((await only('mobile app')).status, 2)
    await page.getByTestId('filter-status').click()
    await page.locator('.n-base-select-option').getByText('Expired').click()
    await row(page, 'mobile app').waitFor({ state: 'detached' })
    await row(page, 'retired').waitFor()
    await page.getByRole('button', { name: 'Delete retired' }).click()
    await picture('token-delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Nothing found').waitFor()
    t.equal(await only('retired'), undefined)
  })

  await t.test('several keys are copied and deleted at once', async (t) => {
    await open('/tokens')
    for (const name of ['mobile app', 'nightly batch']) {
      await row(page, name).locator('.n-checkbox').click()
    }
    await page.getByTestId('chosen').getByText('2 chosen').waitFor()
    await page.getByRole('button', { name: 'Copy keys' }).click()
    await page.getByText('Copied: keys').waitFor()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    t.match(copied, /^sk-\w{48}\nsk-\w{48}$/)
    await page.getByTestId('chosen').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByText('mobile app').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await row(page, 'mobile app').waitFor({ state: 'detached' })
    t.equal((await tokens()).length, 2)
  })

  await t.test(
    'how to use a key opens beside the list; it looks right in the dark and on a phone',
    async (t) => {
      await inTheme(page, 'dark')
      await page.getByRole('button', { name: 'How to use storefront' }).click()
      await page.getByTestId('reveal').click()
      await page.getByTestId('whole-key').waitFor()
      await page.getByTestId('samples').getByText('curl').first().waitFor()
      await picture('token-use-dark')
      t.strictSame(await findings(page), [])
      await page.keyboard.press('Escape')
      await page.getByTestId('use-drawer').waitFor({ state: 'detached' })
      await page
        .getByRole('button', { name: 'How to use storefront' })
        .and(page.locator(':focus'))
        .waitFor()
      await page.setViewportSize(phone)
      await open('/tokens/new')
      await page.getByTestId('mode-manual').click()
      await page.getByTestId('group-order').waitFor()
      t.equal(await tooWide(page), 0)
      await picture('token-new-phone')
    },
  )

  await t.test(
    '[ROUTE-10] a key as the account shows that the group of the account cannot be used',
    async (t) => {
      await admin.token({ name: 'follower', routing: undefined, group: '' })
      await open('/tokens')
      await row(page, 'follower').waitFor()
      t.equal(await page.getByTestId('lost-group').count(), 0)
      await admin.option('GroupRatio', { vip: 0.8, batch: 0.5 })
      await open('/tokens')
      await row(page, 'follower').getByText('default cannot be used').waitFor()
      // What such an account reaches cannot be listed.
      expectError('/api/user/models')
      await open('/tokens/new')
      await page.getByTestId('mode-account').click()
      await page.getByTestId('means').getByText('requests are refused').waitFor()
    },
  )
})

function row(page: Page, name: string): Locator {
  return page.locator('tr').filter({ hasText: name })
}

async function addGroup(page: Page, name: string): Promise<void> {
  await page.getByTestId('add-group').click()
  await page.locator('.n-base-select-option').getByText(name, { exact: false }).first().click()
  await page.getByTestId('group-order').locator(`[data-group=${name}]`).waitFor()
}

function orderOf(order: Locator): Promise<(string | null)[]> {
  return order
    .locator('[data-group]')
    .evaluateAll((rows) => rows.map((one) => one.getAttribute('data-group')))
}

/** Titles of what stands in the tab of a client. */
function samplesOf(id: string): readonly string[] {
  const terms = { address: '', key: '', model: '' }
  return (
    clients
      .find((one) => one.id === id)
      ?.samples(terms)
      .map(({ title }) => title) ?? []
  )
}

/** What a program states that gets this text as a person would paste it. */
function run(command: string, given: readonly string[], text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, given, { stdio: ['pipe', 'pipe', 'pipe'] })
    let message = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (some) => (message += some))
    child.on('error', reject)
    child.on('close', () => resolve(message))
    child.stdin.end(text)
  })
}

async function addressOf(page: Page): Promise<string> {
  return (await page.getByTestId('address').locator('code').innerText()).trim()
}

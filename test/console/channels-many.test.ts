/** Channels in the console by the many: keys of a pool, models of an upstream, what is done to some or all of them. */
import type { Route } from 'playwright-core'
import t from 'tap'
import { root } from '../kit/management.js'
import { chat, events, json, type Script, scriptedUpstream } from '../kit/upstream.js'
import { findings } from './kit/axe.js'
import { noBrowser, openConsole } from './kit/browser.js'
import { until } from './kit/guests.js'
import { phone, tooWide } from './kit/look.js'

/** An upstream that tells its balance, and one more model than it did. */
const balanceOrModels: Script = (request, response) => {
  const models = { object: 'list', data: ['gpt-4o', 'gpt-4o-mini', 'gpt-6'].map((id) => ({ id })) }
  const balance = request.path.includes('/usage') ? { total_usage: 0 } : { hard_limit_usd: 12.5 }
  return json(200, request.path.includes('/models') ? models : balance)(request, response)
}

t.test('many channels, and channels of many keys', { skip: noBrowser }, async (t) => {
  const upstream = await scriptedUpstream(t)
  const { page, open, picture, gateway, expectError } = await openConsole(t)
  const { admin } = gateway
  const field = (name: string) => page.locator(`[name=${name}]`)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const channelOf = (id: number) => admin.must('GET', `/api/channel/${id}`)
  /** What another admin does to the first channel. */
  const others = (changes: object) =>
    admin.must('PUT', '/api/channel/', { id: primary, ...changes })

  const base = { type: 1, base_url: upstream.url, group: 'default', models: 'gpt-4o-mini' }
  const keys =
    'sk-aaaaaaaaaaaaaaaaaaaaaaaa\nsk-bbbbbbbbbbbbbbbbbbbbbbbb\nsk-cccccccccccccccccccccccc'
  const primary = await admin.channel({
    ...{ ...base, name: 'Primary OpenAI', key: 'k0', tag: 'main' },
    models: 'gpt-4o,gpt-4o-mini,o3',
  })
  await admin.channel({ ...base, name: 'Backup, Frankfurt', key: 'k1', priority: -10, tag: 'main' })
  await admin.channel({ ...base, name: 'Old account', key: 'k2', status: 2 })
  const pool = await admin.channel({
    mode: 'multi_to_single',
    channel: { ...base, name: 'Key pool', key: keys, models: 'gpt-4o-mini,gpt-4o' },
  })
  await admin.channel({ ...base, type: 14, name: 'Claude', key: 'k3', models: 'claude-haiku-4-5' })

  await t.test(
    '[CHAN-5] the keys of a pool: one is switched off, one goes, one is added',
    async (t) => {
      await open(`/channels/${pool}/settings`)
      const panel = page.locator('[data-test=keys]')
      await panel.getByText('3 on, 0 switched off').waitFor()
      upstream.script(json(200, chat.whole('Hello.', 9, 2)))
      await panel.getByRole('button', { name: /^Test 2. sk-b/ }).click()
      await page.getByText(/^sk-bb.* works/).waitFor()
      t.match(upstream.requests.at(-1)?.headers.authorization, /sk-bbb/, 'by that key')
      await panel.getByRole('button', { name: /^Switch off 1. sk-a/ }).click()
      await panel.getByText('2 on, 1 switched off').waitFor()
      const deleted = page.waitForRequest(
        (one) => one.method() === 'POST' && one.postDataJSON()?.action === 'delete_key',
      )
      await panel.getByRole('button', { name: /^Delete 2. sk-b/ }).click()
      await page.getByText('Delete the key').waitFor()
      await page.locator('.n-dialog').getByRole('button', { name: 'Delete' }).click()
      t.type((await deleted).postDataJSON().key_id, 'number', 'its own number, not its place')
      await panel.getByText('1 on, 1 switched off').waitFor()
      await picture('channels-pool')
      t.strictSame(await findings(page), [])
      await field('key').fill('sk-dddddddddddddddddddddddd')
      await button('Save').click()
      await panel.getByText('2 on, 1 switched off').waitFor()
      const { channel_info } = await channelOf(pool)
      t.match(channel_info, { multi_key_size: 3, multi_key_status_list: { 0: 2 } })
      t.match(channel_info.multi_key_disabled_reason['0'], /root/)
      await until(async () => (await field('key').inputValue()) === '')
      t.equal(await field('key').inputValue(), '', 'a saved key is not kept on the page')
      await page.getByText('Replace the stored keys').click()
      await field('key').fill('sk-eeeeeeeeeeeeeeeeeeeeeeee\nsk-dddddddddddddddddddddddd')
      await button('Save').click()
      await panel.getByText('2 on, 0 switched off').waitFor()
      t.match(await channelOf(pool), { channel_info: { multi_key_size: 2 } })
    },
  )

  await t.test('root sees a stored key once they have shown who they are', async (t) => {
    expectError(/403.*\/key/)
    await button('Show stored key').click()
    const proof = page.locator('input[autocomplete="current-password"]')
    await proof.fill(root.password)
    await proof.press('Enter')
    await page.getByText('sk-dddddddddddddddddddddddd').waitFor()
    t.strictSame(await findings(page), [])
    await button('Close').click()
  })

  await t.test('the parts few channels need are all there, and named', async (t) => {
    for (const title of [
      'Changes to requests, headers',
      'Proxy, system',
      'Fields that go',
      'Check of the',
    ]) {
      await page.locator('summary').filter({ hasText: title }).press('Enter')
    }
    await field('param_override').fill('{"temperature": ')
    await page.getByText('This is no JSON object yet.').first().waitFor()
    await field('param_override').fill('{"operations": [{"mode": "nonsense", "path": "n"}]}')
    expectError(/400.*\/api\/channel\//)
    await button('Save').click()
    await page.getByText('The field "param_override"').waitFor()
    t.equal(await field('param_override').getAttribute('aria-invalid'), 'true', 'at its field')
    await picture('channels-form-open')
    t.strictSame(await findings(page), [])
    await page.setViewportSize(phone)
    await picture('channels-form-phone')
    const overflow = await tooWide(page)
    t.equal(overflow, 0, 'nothing runs out of a phone sideways')
    await page.setViewportSize({ width: 1280, height: 860 })
    await field('param_override').fill(
      '{"operations": [{"mode": "set", "path": "seed", "value": 7}]}',
    )
    await button('Save').click()
    await page.getByText('Saved.').first().waitFor()
    // An earlier save may have stated so too.
    await until(async () => (await channelOf(pool)).param_override !== '')
    t.match((await channelOf(pool)).param_override, /"seed"/)
  })

  await t.test('what is not saved is not left without a question', async (t) => {
    await field('name').fill('Key pool, renamed')
    const question = page.getByRole('dialog', { name: 'Leave without saving?' })
    await button('All channels').first().click()
    await question.getByRole('button', { name: 'Stay' }).click()
    await question.waitFor({ state: 'detached' })
    t.match(page.url(), new RegExp(`/channels/${pool}/settings$`))
    t.equal(await field('name').inputValue(), 'Key pool, renamed')
    await button('All channels').first().click()
    await question.getByRole('button', { name: 'Leave without saving' }).click()
    await page.waitForURL(/\/channels$/)
  })

  await t.test('[CHAN-6] two admins at one channel lose nothing of each other’s', async (t) => {
    await open(`/channels/${primary}/settings`)
    const saved = () => page.getByText('Saved.').first().waitFor()
    await field('remark').fill('mine')
    await page.locator('[data-test=provider-fields]').getByLabel('Organization').fill('org-mine')
    await others({
      name: 'Primary, EU',
      models: 'gpt-4o,gpt-4o-mini,o3,o4-mini',
      settings: { project: 'proj-theirs' },
    })
    await page.getByText('Somebody else has saved meanwhile').waitFor()
    t.equal(await field('name').inputValue(), 'Primary, EU', 'what is theirs comes in')
    t.equal(await field('remark').inputValue(), 'mine', 'what is typed stays')
    await button('Save').click()
    await saved()
    const now = await channelOf(primary)
    t.match(now, { name: 'Primary, EU', remark: 'mine', models: /o4-mini/ })
    t.match(JSON.parse(now.settings), { organization: 'org-mine', project: 'proj-theirs' })

    await field('remark').fill('mine again')
    const between = async (route: Route) => {
      await others({ remark: 'theirs', tag: 'moved' })
      await route.continue()
    }
    await page.route('**/api/channel/', between, { times: 1 })
    expectError(/409.*\/api\/channel\//)
    await button('Save').click()
    await page.getByText('Nothing was saved').waitFor()
    t.equal(await field('remark').inputValue(), 'mine again')
    t.equal(await field('remark').getAttribute('aria-invalid'), 'true', 'reported at the field')
    t.equal(await field('tag').inputValue(), 'moved')
    t.equal((await channelOf(primary)).remark, 'theirs', 'nothing is lost in silence')
    await picture('channels-conflict')
    await button('Save').click()
    await saved()
    await page.getByText('Nothing was saved').waitFor({ state: 'detached' })
    await until(async () => (await channelOf(primary)).remark === 'mine again')
    t.equal((await channelOf(primary)).tag, 'moved')
    await page
      .locator('[data-test=channel-form] [aria-invalid=true]')
      .waitFor({ state: 'detached' })
    await others({ name: 'Primary OpenAI', models: 'gpt-4o,gpt-4o-mini,o3', tag: 'main' })
    await page.getByRole('heading', { name: 'Primary OpenAI' }).waitFor()
    await button('All channels').first().click()
    await page.waitForURL(/\/channels$/)
  })

  await t.test(
    'a row’s menu opens and closes by keyboard, and a long name keeps its place',
    async (t) => {
      await others({ name: `Primary OpenAI ${'x'.repeat(110)}` })
      const more = page.getByRole('button', { name: /^More for Primary OpenAI x/ })
      await more.focus()
      await page.keyboard.press('Enter')
      const menu = page.getByRole('menu')
      const focused = page.locator(':focus')
      t.equal(await menu.locator(':focus').innerText(), 'Edit')
      await page.keyboard.press('ArrowUp')
      t.equal(await focused.innerText(), 'Delete')
      t.ok(await focused.isVisible(), 'no table cuts it off')
      await page.keyboard.press('Home')
      t.equal(await focused.innerText(), 'Edit')
      await page.keyboard.press('Escape')
      await menu.waitFor({ state: 'detached' })
      await more.click()
      await menu.waitFor()
      t.strictSame(await findings(page), [])
      await more.click()
      await menu.waitFor({ state: 'detached' })
      await more.click()
      await page.locator('h1').click()
      await menu.waitFor({ state: 'detached' })
      await more.focus()
      t.match(
        await page.locator(':focus').getAttribute('aria-label'),
        /^More for/,
        'the focus stays',
      )
      const name = page
        .locator('tbody tr')
        .filter({ hasText: 'Primary OpenAI' })
        .locator('td')
        .nth(1)
      t.ok((await name.boundingBox())!.width < 300, 'the other columns keep theirs')
      await others({ name: 'Primary OpenAI' })
      await button('More for Primary OpenAI').waitFor()
    },
  )

  await t.test('new models of the upstream are taken over, gone ones when requested', async (t) => {
    upstream.script(json(200, { object: 'list', data: [{ id: 'gpt-4o' }, { id: 'gpt-5' }] }))
    await button('More for Primary OpenAI').click()
    await page.getByText('Check models', { exact: true }).click()
    const dialog = page.locator('[data-test=updates-dialog]')
    await dialog.getByText('gpt-5').waitFor()
    await dialog.getByText('o3').click()
    await picture('channels-updates')
    t.strictSame(await findings(page), [])
    await button('Apply 2').click()
    await dialog.waitFor({ state: 'detached' })
    t.equal((await channelOf(primary)).models, 'gpt-4o,gpt-4o-mini,gpt-5')
  })

  await t.test('the table follows what another admin does, and is filtered by it', async (t) => {
    await admin.must('PUT', '/api/channel/', { id: pool, status: 3 })
    const row = page.locator('tbody tr').filter({ hasText: 'Key pool' })
    await row.getByText('Off, failing').first().waitFor()
    await page.getByLabel('State', { exact: true }).click()
    await page.locator('.n-base-select-option').getByText('Off, failing').click()
    await page.getByText('1 in all').waitFor()
    t.equal(await page.locator('tbody tr').count(), 1, 'not what was switched off by hand')
    await button('Clear filters').click()
    await page.getByText('5 in all').waitFor()
    const priority = page.getByLabel('Priority of Key pool')
    await priority.fill('7')
    await admin.must('PUT', '/api/channel/', { id: pool, status: 1, priority: 3 })
    await row.getByText('Healthy', { exact: true }).waitFor()
    t.equal(await priority.inputValue(), '7', 'what is being typed stays')
    await priority.press('Escape')
    t.equal(await priority.inputValue(), '3')
  })

  await t.test('many are switched off at once, with what became of each', async (t) => {
    await page.locator('thead .n-checkbox').click()
    await page.getByRole('toolbar').getByText('5 chosen').waitFor()
    await picture('channels-chosen')
    await page.getByRole('toolbar').getByRole('button', { name: 'Switch off' }).click()
    await page.getByText('Channel by channel').click()
    const results = page.locator('[data-test=bulk-results] li')
    await results.filter({ hasText: 'Done' }).nth(4).waitFor()
    await page.locator('[data-test=progress]').getByText('5 / 5').waitFor()
    await picture('channels-bulk')
    t.strictSame(await findings(page), [])
    const { items } = await admin.must('GET', '/api/channel/?status=enabled')
    t.same(items, [])
    await button('Close').click()
  })

  await t.test(
    'a test of all goes on while nobody looks, and who comes back sees how it went',
    async (t) => {
      let goOn = () => {}
      const gate = new Promise<void>((resolve) => {
        goOn = resolve
      })
      upstream.script(events(gate, chat.role(), chat.delta('Hi'), chat.stop(), chat.done))
      await page.locator('[data-test=whole]').click()
      await page.getByText('Test all', { exact: true }).click()
      await page.locator('[data-test=run-tests]').getByText('Testing all channels').waitFor()
      await picture('channels-run')
      await open('/dashboard')
      goOn()
      await open('/channels')
      await page
        .locator('[data-test=run-tests]')
        .getByText(/5 \/ 5/)
        .waitFor()
      const progress = await admin.must('GET', '/api/channel/test/progress')
      t.match(progress, { total: 5, done: 5 })
      await page.getByText('Which ones, and why').click()
      const [failure] = progress.failures
      const failures = page.locator('[data-test=run-tests] li')
      await failures
        .filter({ hasText: failure.name })
        .filter({ hasText: failure.message })
        .waitFor()
      await picture('channels-run-ended')
    },
  )

  await t.test(
    'balances of all are read, and what the check of all found is applied',
    async (t) => {
      await page.evaluate('scrollTo(0, 0)')
      const of = (verb: string) => page.locator(`[data-test=run-${verb}]`).getByText(/(\d) \/ \1/)
      const whole = async (words: string) => {
        await page.locator('[data-test=whole]').click()
        await page.getByText(words, { exact: true }).click()
      }
      upstream.script(balanceOrModels)
      await whole('Read all balances')
      await of('balances').waitFor()
      await page.getByText('Upstream: $12.50').first().waitFor()
      t.match(await channelOf(primary), { balance: 12.5 })
      await whole('Check models of all upstreams')
      await of('updates').waitFor()
      await button('Apply what was found').click()
      await page.locator('.n-dialog').getByRole('button', { name: 'Apply' }).click()
      await page.getByText('The lists are up to date.').waitFor()
      await page.locator('[data-test=run-updates]').waitFor({ state: 'detached' })
      t.match((await channelOf(pool)).models, /gpt-6/)
    },
  )

  await t.test('by tag, with what is done to all of a tag', async (t) => {
    await page.getByText('By tag').click()
    await button('More for main').click()
    await page.getByText('Switch all on', { exact: true }).click()
    await page.getByText('All channels of main are on.').waitFor()
    const { items } = await admin.must('GET', '/api/channel/?tag=main')
    t.same(
      items.map(({ status }: { status: number }) => status),
      [1, 1],
    )
    await picture('channels-tags')
    t.strictSame(await findings(page), [])
    await button('More for main').click()
    await page.getByText('Change all …', { exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Tag').waitFor()
    t.strictSame(await findings(page), [])
    await dialog.getByLabel('Tag').fill('')
    await dialog.getByLabel('Priority').fill('12')
    await dialog.locator('summary').press('Enter')
    await dialog.locator('[name=header_override]').fill('{"X-Team": ')
    await dialog.getByRole('button', { name: 'Change all' }).click()
    const header = dialog.locator('[name=header_override]')
    t.equal(await header.getAttribute('aria-invalid'), 'true')
    await header.fill('{"X-Team": "research"}')
    await picture('channels-tag-dialog')
    await dialog.getByRole('button', { name: 'Change all' }).click()
    await dialog.waitFor({ state: 'detached' })
    const changed = (await admin.must('GET', '/api/channel/?tag=main')).items
    t.equal(changed.length, 2, 'a blank tag stays')
    for (const one of changed) t.match(one, { priority: 12, header_override: /research/ })
    t.notSame(changed[0].models, changed[1].models, 'and so do the models of each')
  })

  await t.test('one whose plugin is gone is marked in the list', async (t) => {
    const { items } = await admin.must('GET', '/api/channel/?keyword=Old')
    const [{ id }] = items
    const { knex } = gateway.gateway.service('database')
    const changes = gateway.gateway.service('changes')
    const ofType = async (type: number) => {
      await knex.transaction(async (trx) => {
        await trx('channels').where({ id }).update({ type })
        await changes.note(trx, 'channels', id)
      })
      await changes.settled()
    }
    await ofType(999)
    await open('/channels?keyword=Old')
    await page.locator('.chip.missing', { hasText: 'Plugin missing' }).waitFor()
    await picture('channels-plugin-missing')
    t.strictSame(await findings(page), [])
    await ofType(1)
  })

  await t.test('one is deleted after a question that states what is lost', async (t) => {
    await open('/channels?keyword=Old')
    await button('More for Old account').click()
    await page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
    await page.getByText('is deleted with its key').waitFor()
    await picture('channels-delete')
    await page.locator('.n-dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Nothing found').waitFor()
    t.equal((await admin.must('GET', '/api/channel/')).total, 4)
  })
})

/** Channels in the console by the many: keys of a pool, models of an upstream, what is done to some or all of them. */
import t from 'tap'
import { root } from '../kit/management.js'
import { chat, events, json, scriptedUpstream } from '../kit/upstream.js'
import { findings } from './kit/axe.js'
import { noBrowser, openConsole } from './kit/browser.js'
import { tooWide } from './kit/look.js'

t.test('many channels, and channels of many keys', { skip: noBrowser }, async (t) => {
  const upstream = await scriptedUpstream(t)
  const { page, open, picture, gateway, expectError } = await openConsole(t)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const { admin } = gateway
  const field = (name: string) => page.locator(`[name=${name}]`)
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const channelOf = (id: number) => admin.must('GET', `/api/channel/${id}`)

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
      await open(`/channels/${pool}`)
      const panel = page.locator('[data-test=keys]')
      await panel.getByText('3 on, 0 switched off').waitFor()
      await panel.getByRole('button', { name: /^Switch off sk-a/ }).click()
      await panel.getByText('2 on, 1 switched off').waitFor()
      await panel.getByRole('button', { name: /^Delete sk-b/ }).click()
      await page.getByText('Delete the key').waitFor()
      await page.locator('.n-dialog').getByRole('button', { name: 'Delete' }).click()
      await panel.getByText('1 on, 1 switched off').waitFor()
      await picture('channels-pool')
      t.strictSame(await findings(page), [])
      await field('key').fill('sk-dddddddddddddddddddddddd')
      await button('Save').click()
      await panel.getByText('2 on, 1 switched off').waitFor()
      const { channel_info } = await channelOf(pool)
      t.match(channel_info, { multi_key_size: 3, multi_key_status_list: { 0: 2 } })
      t.match(channel_info.multi_key_disabled_reason['0'], /root/)
      t.equal(await field('key').inputValue(), '', 'a saved key is not kept on the page')
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
      await page.locator('.n-collapse-item__header-main').filter({ hasText: title }).click()
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
    await page.setViewportSize({ width: 390, height: 844 })
    await picture('channels-form-phone')
    const overflow = await tooWide(page)
    t.equal(overflow, 0, 'nothing runs out of a phone sideways')
    await page.setViewportSize({ width: 1280, height: 860 })
    await field('param_override').fill(
      '{"operations": [{"mode": "set", "path": "seed", "value": 7}]}',
    )
    await button('Save').click()
    await page.getByText('Saved.').first().waitFor()
    t.match((await channelOf(pool)).param_override, /"seed"/)
  })

  await t.test('what is not saved is not left without a question', async (t) => {
    await field('name').fill('Key pool, renamed')
    page.once('dialog', (dialog) => void dialog.dismiss())
    await button('All channels').first().click()
    t.match(page.url(), new RegExp(`/channels/${pool}$`))
    t.equal(await field('name').inputValue(), 'Key pool, renamed')
    page.once('dialog', (dialog) => void dialog.accept())
    await button('All channels').first().click()
    await page.waitForURL(/\/channels$/)
  })

  await t.test('new models of the upstream are taken over, gone ones when asked for', async (t) => {
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
  })

  await t.test('one is deleted after a question that says what is lost', async (t) => {
    await open('/channels?keyword=Old')
    await button('More for Old account').click()
    await page.locator('.n-dropdown-menu').getByText('Delete', { exact: true }).click()
    await page.getByText('is deleted with its key').waitFor()
    await picture('channels-delete')
    await page.locator('.n-dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Nothing found').waitFor()
    t.equal((await admin.must('GET', '/api/channel/')).total, 4)
  })
})

/** Groups and auto routes in the console: made, priced for certain callers, put into an order, and deleted with a word of warning. */
import type { Page } from 'playwright-core'
import t from 'tap'
import { findings } from './kit/axe.js'
import { consoleOf, noBrowser, openConsole, signIn } from './kit/browser.js'
import { tooWide } from './kit/look.js'

const phone = { width: 390, height: 844 }

t.test('root manages groups and auto routes', { skip: noBrowser, timeout: 120_000 }, async (t) => {
  const { gateway, page, context, open, picture, expectError } = await openConsole(t)
  const { admin } = gateway
  await admin.option('GroupRatio', { default: 1, vip: 0.8 })
  await admin.option('UserUsableGroups', { default: 'For everybody', vip: 'Priority capacity' })
  const channel = { type: 1, key: 'sk-up', base_url: 'http://127.0.0.1:9', models: 'gpt-4o' }
  await admin.channel({ ...channel, name: 'one', group: 'default,vip' })
  const group = async (name: string) =>
    (await admin.must('GET', '/api/group/all')).find((row: { name: string }) => row.name === name)
  const routes = async () => (await admin.must('GET', '/api/auto_route/?page_size=100')).items
  const route = async (key: string) =>
    (await routes()).find((row: { key: string }) => row.key === key)

  await t.test('a group is made; what its ratio means is said with an example', async (t) => {
    await open('/groups')
    await row(page, 'vip').getByText('×0.8').waitFor()
    t.strictSame(await findings(page), [])
    await page.getByTestId('new').click()
    await page.locator('input[name=name]').fill('night')
    await page.locator('input[name=ratio]').fill('cheap')
    await page.getByTestId('save').click()
    await page.getByText('A figure of 0 or more').waitFor()
    t.equal(await page.locator('input[name=name]').inputValue(), 'night')
    await page.locator('input[name=ratio]').fill('0.5')
    await page.getByTestId('example').getByText('$10.00').waitFor()
    await page.getByTestId('example').getByText('$5.00').waitFor()
    await page.locator('input[name=desc]').fill('Between midnight and six')
    await choose(page, page.getByTestId('add-ratio'), 'vip')
    await page.getByRole('textbox', { name: 'Ratio for callers of vip', exact: true }).fill('0.25')
    await choose(page, page.getByLabel('Its users may also use'), 'vip')
    await page.keyboard.press('Escape')
    await picture('groups-new')
    t.strictSame(await findings(page), [])
    await page.getByTestId('save').click()
    await row(page, 'night').waitFor()
    t.match(await group('night'), {
      ratio: 0.5,
      usable: true,
      desc: 'Between midnight and six',
      special_ratios: { vip: 0.25 },
      also_usable: ['vip'],
      not_usable: [],
    })
  })

  await t.test('the table and the matrix tell who pays what', async (t) => {
    await row(page, 'night').getByText('vip pays ×0.25').waitFor()
    t.equal((await page.getByTestId('pays-vip-night').innerText()).trim(), '×0.25')
    t.equal((await page.getByTestId('pays-default-night').innerText()).trim(), '×0.5')
    await picture('groups-light')
    await page.getByTestId('pays-vip-night').getByRole('button').click()
    await page.getByRole('button', { name: 'No other ratio for callers of vip' }).click()
    await page.getByTestId('save').click()
    await page.getByTestId('pays-vip-night').getByText('×0.5').waitFor()
    t.strictSame((await group('night')).special_ratios, {})
  })

  await t.test('what the server refuses stands at its field', async (t) => {
    expectError(/400/)
    await page.getByRole('button', { name: 'Edit night' }).first().click()
    await choose(page, page.getByLabel('Its users may not use'), 'vip')
    await page.keyboard.press('Escape')
    await page.getByTestId('save').click()
    await page.getByText('not_usable holds "vip", which is also_usable.').waitFor()
    await picture('groups-refused')
    await page.getByRole('button', { name: 'Cancel' }).click()
    t.strictSame((await group('night')).not_usable, [])
  })

  await t.test('a group is deleted only when nothing stands in it', async (t) => {
    expectError(/409/)
    await page.getByRole('button', { name: 'Delete vip' }).click()
    await picture('groups-delete')
    await confirm(page)
    await page.getByText('The group "vip" is in use; channels: 1, users: 0').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
    t.ok(await group('vip'))
    await admin.must('PUT', '/api/group/', { name: 'gone', ratio: 1 })
    await page.reload()
    await page.getByRole('button', { name: 'Delete gone' }).click()
    await confirm(page)
    await row(page, 'gone').waitFor({ state: 'detached' })
    t.equal(await group('gone'), undefined)
    t.equal(await page.getByRole('button', { name: 'Delete default' }).count(), 0)
  })

  await t.test('[ROUTE-5] an auto route is put together in its order', async (t) => {
    await open('/auto-routes')
    await page.locator('[data-route=auto]').waitFor()
    await page.getByTestId('new').click()
    await page.getByTestId('save').click()
    await page.getByText('An auto route needs a key.').waitFor()
    await page.locator('input[name=display_name]').fill('Cheapest first')
    await page.locator('input[name=key]').fill('cheap')
    const order = page.getByTestId('group-order')
    for (const name of ['default', 'vip', 'night']) {
      await choose(page, order.locator('[data-test=add-group]'), name)
    }
    await order.locator('[data-group=night] [data-test=handle]').focus()
    await page.keyboard.press('Home')
    await page.getByText('night is now at place 1 of 3.').waitFor()
    await picture('auto-route-new')
    await page.getByText('Name', { exact: true }).scrollIntoViewIfNeeded()
    t.strictSame(await findings(page), [])
    await page.getByTestId('save').click()
    await page.locator('[data-route=cheap]').getByText('no key names it').waitFor()
    t.match(await route('cheap'), {
      display_name: 'Cheapest first',
      groups: ['night', 'default', 'vip'],
      user_groups: [],
      enabled: true,
      is_default: false,
    })
  })

  await t.test('[ROUTE-10] routes change places, and one is the default', async (t) => {
    await page.getByRole('button', { name: 'Move Cheapest first up' }).click()
    await page.locator('.routes > li').first().getByText('Cheapest first').waitFor()
    t.strictSame(
      (await routes()).map(({ key }: { key: string }) => key),
      ['cheap', 'auto'],
    )
    await page.getByRole('button', { name: 'Make Cheapest first the default' }).click()
    await page.locator('[data-route=cheap]').getByText('default', { exact: true }).first().waitFor()
    await page.getByText('Cheapest first is the default now.').waitFor()
    t.equal((await route('cheap')).is_default, true)
    t.equal((await route('auto')).is_default, false)
    await page.locator('[data-route=auto]').getByRole('switch').click()
    await page.locator('[data-route=auto].off').waitFor()
    t.equal((await route('auto')).enabled, false)
    await picture('auto-routes-light')
    t.strictSame(await findings(page), [])
  })

  await t.test('a route says how many keys break with it', async (t) => {
    const routing = { version: 1, mode: 'smart', auto_route: 'auto', groups: [] }
    await admin.must('PUT', '/api/auto_route/', { key: 'auto', enabled: true })
    for (const name of ['site', 'app']) {
      await admin.token({ name, routing: { ...routing, retry_on_failure: true } })
    }
    await open('/auto-routes')
    await page.locator('[data-route=auto]').getByText('2 keys name it').waitFor()
    await page
      .locator('[data-route=auto]')
      .getByRole('button', { name: /^Delete/ })
      .click()
    await page.getByText('2 API keys name it: their requests are refused').waitFor()
    await picture('auto-route-delete')
    await confirm(page)
    await page.locator('[data-route=auto]').waitFor({ state: 'detached' })
    t.equal(await route('auto'), undefined)
  })

  await t.test('an admin who is not root looks at groups and changes none', async (t) => {
    const person = { username: 'ada', password: 'a long password here' }
    await admin.must('POST', '/api/user/', { ...person, role: 10 })
    const other = await consoleOf(t, context.browser()!, gateway, { signedIn: false })
    await signIn(other.context, gateway.url, person)
    await other.open('/groups')
    await other.page.getByTestId('pays-default-night').getByText('×0.5').waitFor()
    t.equal(await other.page.getByRole('button', { name: /^(Edit|Delete|New group)/ }).count(), 0)
    await other.picture('groups-admin')
  })

  await t.test('both read well in the dark and on a phone', async (t) => {
    const browser = context.browser()!
    const dark = await consoleOf(t, browser, gateway, { theme: 'dark', locale: 'zh-CN' })
    const small = await consoleOf(t, browser, gateway, { viewport: phone })
    for (const area of ['groups', 'auto-routes']) {
      await dark.open(`/${area}`)
      await dark.page.getByText('night').first().waitFor()
      await dark.picture(`${area}-dark`)
      t.strictSame(await findings(dark.page), [])
      await small.open(`/${area}`)
      await small.page.getByText('night').first().waitFor()
      await small.picture(`${area}-phone`)
      const wide = await tooWide(small.page)
      t.equal(wide, 0, area)
    }
    await small.page.getByRole('button', { name: 'Edit Cheapest first' }).click()
    await small.page.getByTestId('group-order').locator('[data-group=night]').waitFor()
    await small.picture('auto-route-phone')
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

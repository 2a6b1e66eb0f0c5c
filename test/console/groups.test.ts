/** Groups and auto routes in the console: made, priced for certain callers, put into an order, and deleted with a word of warning. */
import type { Page } from 'playwright-core'
import t from 'tap'
import { findings } from './kit/axe.js'
import { consoleOf, noBrowser, openConsole, signIn } from './kit/browser.js'
import { drag } from './kit/drag.js'
import { phone, tooWide } from './kit/look.js'

t.test('root manages groups and auto routes', { skip: noBrowser, timeout: 240_000 }, async (t) => {
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

  await t.test('a group is made; what its ratio means is stated with an example', async (t) => {
    await open('/groups')
    await row(page, 'vip').getByText('×0.8').waitFor()
    await page.getByTestId('new').click()
    await page.locator('input[name=name]').fill('night')
    await page.locator('input[name=ratio]').fill('cheap')
    await page.getByTestId('save').click()
    await page.getByText('A figure of 0 or more').waitFor()
    t.equal(await page.locator('input[name=name]').inputValue(), 'night')
    await page.locator('input[name=ratio]').fill('0.5')
    await page.getByText('A figure of 0 or more').waitFor({ state: 'detached' })
    await page.getByTestId('example').getByText('$10.00').waitFor()
    await page.getByTestId('example').getByText('$5.00').waitFor()
    await page.locator('input[name=desc]').fill('Between midnight and six')
    await choose(page, page.getByTestId('add-ratio'), 'vip')
    await page.getByRole('textbox', { name: 'Ratio for callers of vip', exact: true }).fill('0.25')
    await choose(page, page.getByRole('combobox', { name: 'Its users may also use' }), 'vip')
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
    await choose(page, page.getByRole('combobox', { name: 'Its users may not use' }), 'vip')
    await page.keyboard.press('Escape')
    await page.getByTestId('save').click()
    await page.getByText('not_usable holds "vip", which is also_usable.').waitFor()
    await picture('groups-refused')
    await page
      .getByRole('combobox', { name: 'Its users may not use' })
      .and(page.locator(':focus'))
      .waitFor()
    await leave(page, () => page.getByRole('button', { name: 'Cancel' }).click())
    t.strictSame((await group('night')).not_usable, [])
  })

  await t.test('a form is filled in by keyboard, and asks before it forgets', async (t) => {
    expectError(/409/)
    await page.getByTestId('new').focus()
    await page.keyboard.press('Enter')
    await page.locator('input[name=name]:focus').waitFor()
    await page.keyboard.type('vip')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Stay' }).click()
    await page.locator('input[name=name]').focus()
    t.equal(await page.locator('input[name=name]').inputValue(), 'vip')
    await page.keyboard.press('Enter')
    await page.getByText('There is a group "vip" already.').waitFor()
    await page.locator('input[name=name]:focus').waitFor()
    t.equal((await group('vip')).ratio, 0.8, 'the group there is stays as it is')
    await leave(page, () => page.keyboard.press('Escape'))
    await page.locator('[data-test=new]:focus').waitFor()
  })

  await t.test('two who change one group lose nothing of each other', async (t) => {
    await page.getByRole('button', { name: 'Edit night' }).first().click()
    await page.locator('input[name=ratio]').fill('0.6')
    await admin.must('PUT', '/api/group/', { name: 'night', desc: 'Told by another admin' })
    await page.getByTestId('save').click()
    await page.getByTestId('group-form').waitFor({ state: 'detached' })
    t.match(await group('night'), { ratio: 0.6, desc: 'Told by another admin' })
    expectError(/404/)
    await admin.must('PUT', '/api/group/', { name: 'dusk', ratio: 1 })
    await row(page, 'dusk').waitFor()
    await page.getByRole('button', { name: 'Edit dusk' }).first().click()
    await page.locator('input[name=ratio]').fill('2')
    await admin.must('DELETE', '/api/group/dusk')
    await page.getByTestId('save').click()
    await page.getByText('There is no such group.').waitFor()
    t.equal(await group('dusk'), undefined, 'it does not come back without its other fields')
    await leave(page, () => page.getByRole('button', { name: 'Cancel' }).click())
    await admin.must('PUT', '/api/group/', { name: 'night', ratio: 0.5 })
  })

  await t.test('an answer that is lost keeps what was typed', async (t) => {
    expectError(/ERR_FAILED/)
    await page.getByTestId('new').click()
    await page.locator('input[name=name]').fill('dawn')
    await context.route('**/api/group/', (route) => route.abort())
    await page.getByTestId('save').click()
    await page.getByText('The gateway cannot be reached.').waitFor()
    await context.unroute('**/api/group/')
    t.equal(await page.locator('input[name=name]').inputValue(), 'dawn')
    await page.getByTestId('save').dblclick()
    await row(page, 'dawn').waitFor()
    await admin.must('DELETE', '/api/group/dawn')
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
    const names = () => order.locator('[data-group] strong').allInnerTexts()
    await drag(order.locator('[data-group]'), 0, 2)
    await page.getByText('night is now at place 3 of 3.').waitFor()
    t.strictSame(await names(), ['default', 'vip', 'night'])
    await drag(order.locator('[data-group]'), 2, 0)
    await page.getByText('night is now at place 1 of 3.').waitFor()
    t.strictSame(await names(), ['night', 'default', 'vip'])
    await order.getByRole('button', { name: 'Take default out' }).press('Enter')
    await order.locator('[data-group=vip] [data-test=take-out]:focus').waitFor()
    await choose(page, order.locator('[data-test=add-group]'), 'default')
    await order.getByRole('button', { name: 'Move default up' }).click()
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
    await page.getByRole('button', { name: 'Move Cheapest first up' }).press('Enter')
    await page.locator('.routes > li').first().getByText('Cheapest first').waitFor()
    t.strictSame(
      (await routes()).map(({ key }: { key: string }) => key),
      ['cheap', 'auto'],
    )
    await page.locator('[data-route=cheap] [data-move=down]:focus').waitFor()
    await page.getByRole('button', { name: 'Make Cheapest first the default' }).click()
    await page.locator('[data-route=cheap]').getByText('default', { exact: true }).first().waitFor()
    await page.getByText('Cheapest first is the default now.').waitFor()
    t.equal((await route('cheap')).is_default, true)
    t.equal((await route('auto')).is_default, false)
    await page.locator('[data-route=auto]').getByRole('switch').click()
    await page.locator('[data-route=auto].off').waitFor()
    t.equal((await route('auto')).enabled, false)
    await picture('auto-routes-light')
  })

  await t.test('a route states how many keys break with it', async (t) => {
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

  await t.test('of a thousand groups a page is shown, and each is found', async (t) => {
    const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`g-${at}`, 1]))
    const named = { default: 1, vip: 0.8, night: 0.5, ['x'.repeat(64)]: 1 }
    await admin.option('GroupRatio', { ...named, ...many })
    await admin.must('PUT', '/api/group/', { name: 'g-7', special_ratios: { vip: 0.5 } })
    await open('/groups')
    await row(page, 'default').waitFor()
    t.equal(await page.locator('.n-data-table tbody tr').count(), 50)
    t.equal(await page.getByTestId('pays-vip-g-7').innerText(), '×0.5')
    t.equal(await page.locator('[data-test^=pays-]').count(), 4, 'where an exception holds')
    await picture('groups-many')
    await page.getByRole('button', { name: '3', exact: true }).press('Enter')
    await row(page, 'default').waitFor({ state: 'detached' })
    await page.getByRole('textbox', { name: 'Name or description' }).fill('g-9')
    await row(page, 'g-9').waitFor()
    await page.getByRole('textbox', { name: 'Name or description' }).fill('g-99')
    await row(page, 'g-90').waitFor({ state: 'detached' })
    t.equal(await page.locator('.n-data-table tbody tr').count(), 11)
    await page.getByRole('button', { name: 'Edit g-998' }).click()
    await page.getByRole('combobox', { name: 'Its users may also use' }).click()
    await page.keyboard.type('g-123')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Escape')
    await page.getByTestId('save').click()
    await row(page, 'g-998').getByText('may also use g-123').waitFor()
  })

  await t.test('the form of a route fits a phone', async (t) => {
    const small = await consoleOf(t, context.browser()!, gateway, { viewport: phone })
    await small.open('/auto-routes')
    await small.page.getByRole('button', { name: 'Edit Cheapest first' }).click()
    await small.page.getByTestId('group-order').locator('[data-group=night]').waitFor()
    await small.picture('auto-route-phone')
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

/** Leaves a form that holds something unsaved. */
async function leave(page: Page, close: () => Promise<void>): Promise<void> {
  await close()
  await page.getByRole('button', { name: 'Leave without saving' }).click()
  await page.getByTestId('save').waitFor({ state: 'detached' })
}

/** People who come to the console without a session, and what they do at its door. */
import type { Page } from 'playwright-core'
import type { Test } from 'tap'
import type { TestGateway } from '../../kit/gateway.js'
import { root } from '../../kit/management.js'
import { type Console, type ConsoleOptions, consoleOf } from './browser.js'

/** Of everybody here. */
export const { password } = root

export const field = (page: Page, name: string) => page.locator(`input[name=${name}]`)
export const submit = (page: Page) => page.locator('button[type=submit]').first()

export async function giveIn(page: Page, username: string, word: string = password): Promise<void> {
  await field(page, 'username').fill(username)
  await field(page, 'password').fill(word)
  await submit(page).click()
}

/** Another guest at the same gateway. */
export function guest(t: Test, { context, gateway }: Console, options: ConsoleOptions = {}) {
  return consoleOf(t, context.browser()!, gateway, { signedIn: false, ...options })
}

export async function member(gateway: TestGateway, username: string): Promise<number> {
  return (await gateway.admin.must('POST', '/api/user/', { username, password })).id
}

/** Mails leave from the outbox a moment after the answer, and answers reach the test a moment after the page. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 15_000
  while (!(await holds())) {
    if (Date.now() > end) throw new Error('it did not come to pass')
    await new Promise((resolve) => setImmediate(resolve))
  }
}

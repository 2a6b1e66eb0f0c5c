/** Every page a role can reach from its menu, and every public one, in light and on a phone; those in dark stand beside. */
import t from 'tap'
import { consoleOf, noBrowser, openConsole } from './kit/browser.js'
import { furnish } from './kit/furnish.js'
import { guestPages, look, menuOf, phone, publicPages } from './kit/look.js'

t.test('every page behind the sign-in, in light and on a phone', { skip: noBrowser }, async (t) => {
  const light = await openConsole(t)
  await furnish(t, light.gateway)
  const browser = light.context.browser()!
  const small = await consoleOf(t, browser, light.gateway, { viewport: phone })
  const paths = await menuOf(light)
  t.ok(paths.length > 15)
  await look(t, light, [...paths, ...publicPages], { name: 'light' })
  await look(t, small, [...paths, ...publicPages], { name: 'phone', axe: false })
})

t.test('every page before the sign-in, in light and on a phone', { skip: noBrowser }, async (t) => {
  const light = await openConsole(t, { signedIn: false })
  const browser = light.context.browser()!
  const small = await consoleOf(t, browser, light.gateway, { signedIn: false, viewport: phone })
  for (const one of [light, small]) one.expectError(/status of 401/)
  await look(t, light, guestPages, { name: 'guest-light' })
  await look(t, small, guestPages, { name: 'guest-phone', axe: false })
})

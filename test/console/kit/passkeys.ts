/** A device with passkeys in a browser of a test, and a passkey added with it as a person does. */
import type { Page } from 'playwright-core'

/** Confirms whatever it is queried. */
export async function passkeyDevice(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/** On the page of security, by someone who has a password and nothing more. */
export async function addPasskey(page: Page, name: string, password: string): Promise<void> {
  const card = page.getByTestId('passkeys')
  await card.getByTestId('add-passkey').click()
  await card.locator('input[name=passkey-name]').fill(name)
  await page.keyboard.press('Enter')
  const dialog = page.getByTestId('step-up')
  await dialog.locator('input[type=password]').fill(password)
  await page.keyboard.press('Enter')
  await card.getByText(name, { exact: true }).waitFor()
}

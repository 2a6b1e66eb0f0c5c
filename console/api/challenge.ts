/** How a solved bot challenge is shown to the gateway (AUTH-7). */
export function solvedBy(token: string | undefined): Readonly<Record<string, string>> {
  return token === undefined ? {} : { 'x-turnstile-token': token }
}

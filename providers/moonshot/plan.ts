/** The coding plan: a subscription with keys and a base of its own, named by an alias or by its address. */

const alias = 'kimi-coding-plan'
const planBase = 'https://api.kimi.com/coding'

export function isPlan(baseUrl: string): boolean {
  return baseUrl === alias || baseUrl.startsWith(planBase)
}

export function baseOf(baseUrl: string): string {
  return baseUrl === alias ? planBase : baseUrl
}

/** Groups and auto routes the signed-in user may use, and the models they lead to (ROUTE-17). */
import { request, requestWhole } from './request.js'

export interface UsableGroup {
  readonly name: string
  readonly ratio: number
  readonly desc: string
}

export interface UsableRoute {
  readonly key: string
  readonly display_name: string
  readonly groups: readonly string[]
}

export interface Usable {
  readonly groups: readonly UsableGroup[]
  readonly routes: readonly UsableRoute[]
}

type Dictionary = Readonly<Record<string, { readonly ratio: number; readonly desc: string }>>

export async function readUsable(): Promise<Usable> {
  const { data, beside } = await requestWhole<Dictionary>('GET', '/api/group/')
  const groups = Object.entries(data).map(([name, group]) => ({ name, ...group }))
  return { groups, routes: (beside.auto_routes ?? []) as readonly UsableRoute[] }
}

/** Of a group by name or an auto route by key; empty: where requests go when nobody names one. */
export function readUsableModels(group = ''): Promise<readonly string[]> {
  return request('GET', '/api/user/models', { query: { group } })
}

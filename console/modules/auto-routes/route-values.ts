/** The form of an auto route. */
import type { AutoRoute } from '../../api/auto-routes.js'

export interface RouteValues {
  key: string
  display_name: string
  groups: string[]
  user_groups: string[]
  enabled: boolean
  is_default: boolean
}

export function valuesOf(route: AutoRoute | undefined): RouteValues {
  return {
    key: route?.key ?? '',
    display_name: route?.display_name ?? '',
    groups: [...(route?.groups ?? [])],
    user_groups: [...(route?.user_groups ?? [])],
    enabled: route?.enabled ?? true,
    is_default: route?.is_default ?? false,
  }
}

export function formOf(values: RouteValues): RouteValues {
  const key = values.key.trim()
  return { ...values, key, display_name: values.display_name.trim() || key }
}

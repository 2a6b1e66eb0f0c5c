/** Names of the services that no plugin provides. */
import type { Services } from '../contract/service.js'

/** Made when the gateway starts, before any plugin. */
export const startedServices = [
  'database',
  'changes',
  'egress',
  'secrets',
  'schedule',
  'disconnects',
  'answers',
  'probe',
  'system',
  'traffic',
  'live',
  'memory',
  'peers',
] as const satisfies readonly (keyof Services)[]

/** Made by the registry, of the plugins it found. */
export const registryServices = [
  'catalog',
  'formats',
  'operations',
  'providers',
  'extensions',
  'plugins',
] as const satisfies readonly (keyof Services)[]

export const kernelServiceNames: ReadonlySet<string> = new Set([
  ...startedServices,
  ...registryServices,
])

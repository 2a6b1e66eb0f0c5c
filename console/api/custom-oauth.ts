/** Sign-in providers an admin defines beside the plugins. */
import type { SettingField } from '../../kernel/contract/manifest.js'
import { request } from './request.js'
import type { components } from './schema.js'

export type CustomProvider = components['schemas']['CustomSignInProvider']

/** Every rule must hold for somebody to be let in. */
export type AccessRule = CustomProvider['access_policy'][number]

const path = '/api/custom-oauth-provider/'

export function readCustomProviders(): Promise<readonly CustomProvider[]> {
  return request('GET', path)
}

export function readCustomProvider(id: number): Promise<CustomProvider> {
  return request('GET', `${path}${id}`)
}

export function createCustomProvider(body: object): Promise<CustomProvider> {
  return request('POST', path, { body })
}

/** What is left out stays, and so does a blank secret. */
export function changeCustomProvider(id: number, body: object): Promise<CustomProvider> {
  return request('PUT', `${path}${id}`, { body })
}

/** `force`: although people are bound to it. Returns how many were. */
export async function deleteCustomProvider(id: number, force: boolean): Promise<number> {
  const query = force ? { force } : {}
  const { unbound } = await request<{ unbound: number }>('DELETE', `${path}${id}`, { query })
  return unbound
}

export type Discovered = components['schemas']['DiscoveredProvider']

/** `url`: of the issuer, or of its discovery document. */
export function discover(url: string): Promise<Discovered> {
  return request('GET', `${path}discovery`, { query: { url } })
}

interface Plugins {
  readonly plugins: readonly {
    readonly manifest: {
      readonly id: string
      readonly kind: string
      readonly title: string
      readonly instanceSettings?: readonly SettingField[]
    }
  }[]
}

export interface ProviderKinds {
  /** Settings of a custom provider. */
  readonly fields: readonly SettingField[]
  /** Titles of those the gateway brings. */
  readonly builtIn: readonly string[]
}

export async function readProviderKinds(): Promise<ProviderKinds> {
  const { plugins } = await request<Plugins>('GET', '/api/plugins')
  const providers = plugins.map(({ manifest }) => manifest).filter(({ kind }) => kind === 'oauth')
  const custom = providers.find(({ id }) => id === 'oauth.custom')
  return {
    fields: custom?.instanceSettings ?? [],
    builtIn: providers.filter((one) => one !== custom).map(({ title }) => title),
  }
}

/** API keys: what they may do, where their requests go, how clients are pointed at the gateway. */
import { KeyRound } from '@lucide/vue'
import { defineModule } from '../../shell/module.js'

export default defineModule({
  id: 'tokens',
  routes: [
    {
      path: '/tokens',
      name: 'tokens',
      title: { en: 'API keys', zh: 'API 密钥' },
      frame: 'app',
      role: 1,
      page: () => import('./tokens-page.vue'),
    },
    {
      path: '/tokens/new',
      name: 'tokens.new',
      title: { en: 'New API key', zh: '新建 API 密钥' },
      frame: 'app',
      role: 1,
      page: () => import('./new-token-page.vue'),
    },
    {
      path: '/tokens/:id(\\d+)',
      name: 'tokens.one',
      title: { en: 'API key', zh: 'API 密钥' },
      frame: 'app',
      role: 1,
      page: () => import('./token-page.vue'),
    },
    {
      path: '/tokens/:id(\\d+)/edit',
      name: 'tokens.edit',
      title: { en: 'Edit API key', zh: '编辑 API 密钥' },
      frame: 'app',
      role: 1,
      page: () => import('./edit-token-page.vue'),
    },
  ],
  menu: [
    {
      route: 'tokens',
      title: { en: 'API keys', zh: 'API 密钥' },
      icon: KeyRound,
      section: 'use',
      order: 30,
      role: 1,
    },
  ],
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})

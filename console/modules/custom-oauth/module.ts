/** Sign-in providers an admin defines beside those the gateway brings. */
import { Fingerprint } from '@lucide/vue'
import { defineModule } from '../../shell/module.js'

const title = { en: 'Sign-in providers', zh: '登录提供方' }

export default defineModule({
  id: 'custom-oauth',
  routes: [
    {
      path: '/custom-oauth',
      name: 'custom-oauth',
      title,
      frame: 'app',
      role: 100,
      page: () => import('./providers-page.vue'),
    },
    {
      path: '/custom-oauth/new',
      name: 'custom-oauth.new',
      title: { en: 'New sign-in provider', zh: '新建登录提供方' },
      frame: 'app',
      role: 100,
      page: () => import('./provider-page.vue'),
    },
    {
      path: '/custom-oauth/:id(\\d+)',
      name: 'custom-oauth.edit',
      title: { en: 'Sign-in provider', zh: '登录提供方' },
      frame: 'app',
      role: 100,
      page: () => import('./provider-page.vue'),
    },
  ],
  menu: [
    {
      route: 'custom-oauth',
      title,
      icon: Fingerprint,
      section: 'system',
      order: 20,
      role: 100,
      under: 'options',
    },
  ],
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})

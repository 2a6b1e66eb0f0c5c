/** Channels: where calls go. */
import { Waypoints } from '@lucide/vue'
import { defineModule } from '../../shell/module.js'

const title = { en: 'Channels', zh: '渠道' }

export default defineModule({
  id: 'channels',
  routes: [
    {
      path: '/channels',
      name: 'channels',
      title,
      frame: 'app',
      role: 10,
      page: () => import('./channels-page.vue'),
    },
    {
      path: '/channels/new',
      name: 'channels.new',
      title: { en: 'New channel', zh: '新建渠道' },
      frame: 'app',
      role: 10,
      page: () => import('./new-channel-page.vue'),
    },
    {
      path: '/channels/:id(\\d+)',
      name: 'channels.one',
      title: { en: 'Channel', zh: '渠道' },
      frame: 'app',
      role: 10,
      page: () => import('./channel-page.vue'),
    },
    {
      path: '/channels/:id(\\d+)/settings',
      name: 'channels.edit',
      title: { en: 'Settings of a channel', zh: '渠道设置' },
      frame: 'app',
      role: 10,
      page: () => import('./channel-settings-page.vue'),
    },
  ],
  menu: [
    {
      route: 'channels',
      title,
      icon: Waypoints,
      section: 'operate',
      order: 10,
      role: 10,
    },
  ],
  texts: { en: () => import('./locales/en.js'), zh: () => import('./locales/zh.js') },
})

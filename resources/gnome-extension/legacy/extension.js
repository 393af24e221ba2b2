// The form for GNOME 42 to 44; the one for 45 and later is beside it, and the classes Front and Hands are the same in both.
/* exported init */

'use strict';

const {Gio, GLib, Meta, Shell, St} = imports.gi;
const Main = imports.ui.main;
const PanelMenu = imports.ui.panelMenu;
const PopupMenu = imports.ui.popupMenu;

// Answers, and tells of changes, on the session bus: org.gnome.Shell, /org/desktopmemory/Front.

const PATH = '/org/desktopmemory/Front';
const ARGS = ['title:s', 'app_id:s', 'app:s', 'pid:u', 'key:s'];
const XML = `
<node>
  <interface name="org.desktopmemory.Front">
    <method name="Get">${args('direction="out"')}</method>
    <signal name="Changed">${args('')}</signal>
  </interface>
</node>`;

function args(direction) {
    return ARGS.map(arg => {
        const [name, type] = arg.split(':');
        return `<arg name="${name}" type="${type}" ${direction}/>`;
    }).join('');
}

class Front {
    constructor() {
        this._window = null;
        this._title = 0;
        this._object = Gio.DBusExportedObject.wrapJSObject(XML, this);
        this._object.export(Gio.DBus.session, PATH);
        this._focus = global.display.connect('notify::focus-window', () => this._changed());
        this._changed();
    }

    destroy() {
        global.display.disconnect(this._focus);
        this._leave();
        this._object.unexport();
    }

    Get() {
        const window = this._window;
        if (!window)
            return ['', '', '', 0, ''];
        const app = Shell.WindowTracker.get_default().get_window_app(window);
        return [
            window.get_title() || '',
            window.get_wm_class() || window.get_gtk_application_id() || '',
            app ? app.get_name() : '',
            Math.max(window.get_pid(), 0),
            String(window.get_stable_sequence()),
        ];
    }

    _changed() {
        this._leave();
        this._window = global.display.focus_window;
        if (this._window)
            this._title = this._window.connect('notify::title', () => this._tell());
        this._tell();
    }

    _leave() {
        if (this._title)
            this._window.disconnect(this._title);
        this._window = null;
        this._title = 0;
    }

    _tell() {
        this._object.emit_signal('Changed', new GLib.Variant('(sssus)', this.Get()));
    }
}

// What only the Shell can do for the app: take keys, set the clipboard, carry a menu in the top bar.
// All of it belongs to the connection that asked, and goes with it.

const HANDS_PATH = '/org/desktopmemory/Hands';
const HANDS = 'org.desktopmemory.Hands';
const HANDS_XML = `
<node>
  <interface name="${HANDS}">
    <method name="Hello"/>
    <method name="Grab">
      <arg name="name" type="s" direction="in"/>
      <arg name="accelerator" type="s" direction="in"/>
      <arg name="taken" type="b" direction="out"/>
    </method>
    <method name="Ungrab"><arg name="name" type="s" direction="in"/></method>
    <method name="Copy"><arg name="text" type="s" direction="in"/></method>
    <method name="Menu">
      <arg name="status" type="s" direction="in"/>
      <arg name="state" type="s" direction="in"/>
      <arg name="entries" type="a(ss)" direction="in"/>
    </method>
    <signal name="Pressed"><arg name="name" type="s"/></signal>
    <signal name="Chosen"><arg name="entry" type="s"/></signal>
  </interface>
</node>`;
const ICONS = {
    recording: 'document-open-recent-symbolic',
    paused: 'media-playback-pause-symbolic',
    degraded: 'dialog-warning-symbolic',
    error: 'dialog-error-symbolic',
};

class Hands {
    constructor() {
        this._keys = new Map();
        this._watched = new Map();
        this._menu = null;
        this._menuOwner = null;
        this._object = Gio.DBusExportedObject.wrapJSObject(HANDS_XML, this);
        this._object.export(Gio.DBus.session, HANDS_PATH);
        this._pressed = global.display.connect('accelerator-activated', (_display, action) => {
            const key = this._keys.get(action);
            if (key)
                this._tell(key.owner, 'Pressed', key.name);
        });
    }

    destroy() {
        global.display.disconnect(this._pressed);
        for (const owner of [...this._watched.keys()])
            this._forget(owner);
        this._object.unexport();
    }

    HelloAsync(_parameters, invocation) {
        invocation.return_value(null);
    }

    GrabAsync([name, accelerator], invocation) {
        const owner = invocation.get_sender();
        const action = global.display.grab_accelerator(accelerator, Meta.KeyBindingFlags.NONE);
        const taken = action !== Meta.KeyBindingAction.NONE;
        if (taken) {
            Main.wm.allowKeybinding(Meta.external_binding_name_for_action(action), Shell.ActionMode.ALL);
            this._ungrab(owner, name);
            this._keys.set(action, {owner, name});
            this._watch(owner);
        }
        invocation.return_value(new GLib.Variant('(b)', [taken]));
    }

    UngrabAsync([name], invocation) {
        this._ungrab(invocation.get_sender(), name);
        invocation.return_value(null);
    }

    CopyAsync([text], invocation) {
        St.Clipboard.get_default().set_text(St.ClipboardType.CLIPBOARD, text);
        invocation.return_value(null);
    }

    MenuAsync([status, state, entries], invocation) {
        const owner = invocation.get_sender();
        if (this._menuOwner !== owner)
            this._dropMenu();
        this._menuOwner = owner;
        this._watch(owner);
        if (!this._menu) {
            this._menu = new PanelMenu.Button(0.5, 'Desktop Memory');
            this._icon = new St.Icon({style_class: 'system-status-icon'});
            this._menu.add_child(this._icon);
            Main.panel.addToStatusArea('desktop-memory', this._menu);
        }
        this._icon.icon_name = ICONS[state] || ICONS.recording;
        this._menu.menu.removeAll();
        this._menu.menu.addMenuItem(new PopupMenu.PopupMenuItem(status, {reactive: false}));
        for (const [entry, label] of entries) {
            if (entry)
                this._menu.menu.addAction(label, () => this._tell(owner, 'Chosen', entry));
            else
                this._menu.menu.addMenuItem(new PopupMenu.PopupSeparatorMenuItem());
        }
        invocation.return_value(null);
    }

    _tell(owner, signal, what) {
        Gio.DBus.session.emit_signal(owner, HANDS_PATH, HANDS, signal, new GLib.Variant('(s)', [what]));
    }

    _ungrab(owner, name) {
        for (const [action, key] of [...this._keys]) {
            if (key.owner === owner && (name === null || key.name === name)) {
                global.display.ungrab_accelerator(action);
                Main.wm.allowKeybinding(Meta.external_binding_name_for_action(action), Shell.ActionMode.NONE);
                this._keys.delete(action);
            }
        }
    }

    _watch(owner) {
        if (!this._watched.has(owner)) {
            this._watched.set(owner, Gio.DBus.session.watch_name(
                owner, Gio.BusNameWatcherFlags.NONE, null, () => this._forget(owner)));
        }
    }

    _forget(owner) {
        Gio.DBus.session.unwatch_name(this._watched.get(owner));
        this._watched.delete(owner);
        this._ungrab(owner, null);
        if (this._menuOwner === owner)
            this._dropMenu();
    }

    _dropMenu() {
        if (this._menu)
            this._menu.destroy();
        this._menu = null;
        this._menuOwner = null;
    }
}

class DesktopMemoryExtension {
    enable() {
        this._front = new Front();
        this._hands = new Hands();
    }

    disable() {
        this._front.destroy();
        this._front = null;
        this._hands.destroy();
        this._hands = null;
    }
}

function init() {
    return new DesktopMemoryExtension();
}

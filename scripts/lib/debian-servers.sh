# Sourced by scripts/verify-servers. Provides servers of several Debian releases on one machine, from the mirror of this
# machine's apt. Unpacks each other release once into a folder, checks its signatures, and runs its programs there by chroot.
# The caller runs as root in a separate mount namespace, which removes all mounts when its last process ends. The caller
# defines say() and $cache, and sources scripts/lib/servers.sh.

this_release() { (. /etc/os-release && echo "${VERSION_CODENAME:-}"); }

# Prints the archives of Debian that apt uses here, one "<address> <suite>" per line.
debian_archives() {
  apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' 'Origin: Debian' 'Component: main' | sort -u
}

is_debian() { [ "$(. /etc/os-release 2> /dev/null && echo "$ID")" = debian ] && command -v apt-get > /dev/null; }

# root_of RELEASE PACKAGE...: sets $root to the folder with these packages; empty if this machine has that release.
root_of() {
  local release=$1 package
  shift
  if [ "$release" = "$(this_release)" ]; then
    root=
    local missing=()
    for package; do dpkg -s "$package" > /dev/null 2>&1 || missing+=("$package"); done
    [ ${#missing[@]} = 0 ] || install_packages "${missing[@]}"
    return
  fi
  root=$cache/$release
  if [ "$(cat "$root/.servers" 2> /dev/null)" != "$*" ]; then
    (unpack_release "$release" "$@") || { say "Debian $release could not be unpacked, see $cache/$release.log"; exit 1; }
  fi
  # Users of the servers may not enter the folder of root.
  [ -d /mnt/delayqueue ] || { mount -t tmpfs -o mode=755 delayqueue /mnt && mkdir /mnt/delayqueue; }
  mkdir "/mnt/delayqueue/$release"
  mount --bind "$root" "/mnt/delayqueue/$release"
  root=/mnt/delayqueue/$release
  mount --rbind /proc "$root/proc"
  mount --rbind /dev "$root/dev"
  mount --bind /tmp "$root/tmp"
  mount --bind /etc/passwd "$root/etc/passwd" # servers that refuse to run as root look up their user
}

# Runs in a separate mount namespace, so that the folder can be moved and deleted afterwards.
unpack_release() {
  local release=$1 here mirror part=$cache/$1.part keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  shift
  here=$(this_release)
  [ -n "$(debian_archives)" ] || apt-get -qq update
  mirror=$(debian_archives | awk -v suite="$here" '$2 == suite { print $1; exit }')
  [ -n "$mirror" ] || { say "apt has no archive of Debian $here configured"; return 1; }
  command -v debootstrap > /dev/null || install_packages debootstrap
  # the package also has the keys of later releases; apt checks it with the keys of this release
  install_packages debian-archive-keyring
  say "unpacking Debian $release with $* into $cache (once; two minutes) ..."
  mkdir -p "$cache"
  rm -rf --one-file-system "$part"
  # The script "sid" is that of all releases; those for later ones may be missing here.
  debootstrap --variant=minbase --keyring="$keyring" "$release" "$part" "$mirror" /usr/share/debootstrap/scripts/sid \
    > "$cache/$release.log" 2>&1 || return 1
  debian_archives | while read -r address suite; do
    [ "$release" = sid ] && [ "$suite" != "$here" ] || echo "deb $address $release${suite#"$here"} main"
  done > "$part/etc/apt/sources.list"
  apt-config dump | grep -iE '^Acquire::(https?::|Check-Valid-Until)' > "$part/etc/apt/apt.conf.d/90host" || true
  cp /etc/resolv.conf /etc/hosts "$part/etc/"
  printf '#!/bin/sh\nexit 101\n' > "$part/usr/sbin/policy-rc.d" # no service is started
  chmod +x "$part/usr/sbin/policy-rc.d"
  unshare --mount --propagation private sh -euc '
    part=$1; shift
    mount --rbind /proc "$part/proc"; mount --rbind /dev "$part/dev"
    export DEBIAN_FRONTEND=noninteractive
    chroot "$part" apt-get -q update
    chroot "$part" apt-get -q install -y --no-install-recommends "$@"' \
    sh "$part" "$@" < /dev/null >> "$cache/$release.log" 2>&1 || return 1
  rm -rf --one-file-system "${cache:?}/$release"
  echo "$*" > "$part/.servers"
  mv "$part" "$cache/$release"
}

# program FILE COMMAND: makes FILE a program that is replaced by COMMAND in $root, so that signals reach COMMAND.
program() {
  mkdir -p "$(dirname "$1")"
  printf '#!/bin/sh\nexec %s%s "$@"\n' "${root:+chroot $root }" "$2" > "$1"
  chmod +x "$1"
}

# program_of_user FILE COMMAND: the same for a server that does not run as root. It may call chroot only in a
# separate user namespace.
program_of_user() {
  mkdir -p "$(dirname "$1")"
  printf '#!/bin/sh\nexec %s%s "$@"\n' "${root:+unshare --user --map-current-user --root=$root --wd=/tmp }" "$2" > "$1"
  chmod +x "$1"
}

rabbit_programs() {
  program "$1/rabbitmq-server" /usr/lib/rabbitmq/bin/rabbitmq-server
  program "$1/rabbitmqctl" /usr/lib/rabbitmq/bin/rabbitmqctl
  program "$1/epmd" /usr/bin/epmd
}

# Sourced by scripts/verify-servers unless it runs as root on Debian. Runs the script in a container of Debian 12, on a copy
# of the sources, so that no file here gets the owner root. A volume keeps Maven's downloads, the servers and the results.

run_in_docker() {
  say "running in a container of Debian 12; its data is in the volume delayqueue-servers"
  docker run --rm --init --cap-add SYS_ADMIN --security-opt apparmor=unconfined --security-opt seccomp=unconfined \
    -v "$PWD:/sources:ro" -v "$PWD/evidence/docs:/docs" -v delayqueue-servers:/kept \
    -e XDG_CACHE_HOME=/kept/cache -e "VERIFY_SERVERS_COMMIT=$commit" debian:bookworm sh -euc '
      apt-get -qq update
      apt-get -qq install -y --no-install-recommends openjdk-17-jdk-headless maven git ca-certificates > /dev/null
      mkdir -p /kept/m2 /kept/target /project
      ln -s /kept/m2 "$HOME/.m2"
      ln -s /kept/target /project/target
      tar -C /sources --exclude=target -c . | tar -C /project -x
      cd /project
      result=0
      scripts/verify-servers "$@" || result=$?
      cp -R evidence/docs/compatibility evidence/docs/compatibility.md /docs
      chown -R --reference=/docs /docs/compatibility /docs/compatibility.md
      exit $result' sh "$@"
}
